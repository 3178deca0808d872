/* The picture on the board, and how a pointer acts on it: click or drag a piece, or click where one
   can go. The server says which marks belong to which moves. */

import { arrow, ghost, layer, picture, pointIn, target } from "./overlay.js";
import { made } from "./panels.js";

const FAR = 6; // pixels after which it is a drag
const NEAR = 20; // how far beside its goal a move is still meant
const [SMALLEST, LARGEST, OF_TEXT] = [0.8, 8, 2]; // how far a picture is scaled; below, the board scrolls

export class Board {
  /* game: its actions are asked for, and `choose` and `remark` called. */
  constructor(element, game) {
    this.element = element;
    this.game = game;
    this.stage = new Stage(element);
    this.over = layer();
    this.steps = [];
    this.chosen = [];
    this.held = null;
    this.foreseen = null; // the picture that is shown before its position is known
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    element.addEventListener("pointerup", (event) => this.release(event));
    element.addEventListener("pointercancel", () => this.letGo());
  }

  /* Show a position. */
  show(facts, travels) {
    if (facts.picture !== this.foreseen) this.draw(facts.picture, travels);
    this.foreseen = null;
    this.steps = facts.steps;
    this.only("movable", this.steps.flatMap((step) => step.marks));
  }

  /* Show what a move leads to, before anything else is known of it. */
  foresee({ picture, travels }) {
    this.draw(picture, travels);
    this.foreseen = picture;
  }

  draw(text, travels) {
    this.held = null;
    this.chosen = [];
    this.steps = [];
    const drawn = picture(text);
    const [wide, high] = [drawn.width.baseVal.value, drawn.height.baseVal.value];
    const largest = wide * (drawn.querySelector(".rw-mono") ? OF_TEXT : LARGEST);
    drawn.style.minWidth = `${SMALLEST * wide}px`;
    drawn.style.width = `min(100%, ${largest}px, var(--board-height) * ${wide / high})`;
    this.stage.show(drawn, travels);
    this.over.replaceChildren();
    drawn.append(this.over);
  }

  say(text) {
    [this.held, this.foreseen] = [null, null];
    this.element.replaceChildren(made("p", {}, text));
    this.steps = [];
  }

  /* Let the pieces of a move glow, with arrows to where they go; null for no move. */
  hint(step) {
    this.over.replaceChildren(
      ...(step?.marks ?? []).flatMap((number) => {
        const goal = goalOf(step, number);
        return goal ? [arrow(this.middle(number), goal)] : [];
      }),
    );
    this.only("hinted", step?.marks ?? []);
  }

  /* Give a class to these marks only. */
  only(kind, numbers) {
    for (const [number, mark] of Stage.marks(this.element)) mark.classList.toggle(kind, numbers.includes(number));
  }

  /* The marks under a point of the screen that moves can be grabbed by, topmost first. */
  marksAt(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY);
    const marks = found.map((one) => one.closest?.("#board [data-mark]")).filter(Boolean);
    const numbers = [...new Set(marks.map((mark) => Number(mark.dataset.mark)))];
    return numbers.filter((number) => this.with([number]).length);
  }

  /* The moves that can be grabbed by all these marks. */
  with(numbers) {
    return this.steps.filter((step) => numbers.every((number) => step.marks.includes(number)));
  }

  mark(number) {
    return this.element.querySelector(`[data-mark="${number}"]`);
  }

  point(event) {
    return pointIn(this.element.querySelector("svg"), event);
  }

  /* The box of a mark in picture coordinates. */
  box(number) {
    const { x, y, width, height } = this.mark(number).getBBox();
    const [left, top] = Stage.place(this.mark(number));
    return { x: left + x, y: top + y, width, height };
  }

  middle(number) {
    const { x, y, width, height } = this.box(number);
    return { x: x + width / 2, y: y + height / 2 };
  }

  // -- dragging ------------------------------------------------------------------------

  press(event) {
    if (event.button !== 0 || event.target.closest(".target")) return;
    if (!this.element.querySelector("svg")) return; // a text is said
    const from = this.point(event);
    const [number = null] = this.marksAt(event);
    this.held = { number, from, x: event.clientX, y: event.clientY, far: false };
    if (number === null) return;
    const [box, middle] = [this.box(number), this.middle(number)];
    const tracks = this.with([number]).flatMap((step) => {
      const goal = goalOf(step, number) ?? middle;
      return apart(goal, middle) > 1 ? [{ step, x: goal.x - middle.x, y: goal.y - middle.y }] : [];
    });
    Object.assign(this.held, { box, middle, tracks, mark: this.mark(number) });
    this.element.setPointerCapture?.(event.pointerId);
  }

  drag(event) {
    const { held } = this;
    if (!held?.mark) return;
    held.far ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR;
    if (!held.far) return;
    const now = this.point(event);
    this.aim({ x: now.x - held.from.x, y: now.y - held.from.y });
    held.mark.classList.add("held");
    held.mark.style.translate = `${held.at.x}px ${held.at.y}px`;
    held.mark.style.pointerEvents = "none";
    const aim = held.track ?? (held.astray && held.tracks.length ? held.by : null);
    this.over.replaceChildren(...(aim ? [ghost(held.box, aim)] : []));
    this.over.classList.toggle("astray", held.astray);
  }

  /* Where a held piece stands when the pointer has gone by so much: on the nearest of its tracks.
     Astray, farther than half a piece beside them, it may be meant to walk; without tracks it is free. */
  aim(by) {
    const { held } = this;
    const points = held.tracks.map((track) => {
      const part = (by.x * track.x + by.y * track.y) / (track.x ** 2 + track.y ** 2);
      const on = Math.min(1, Math.max(0, part));
      return { x: on * track.x, y: on * track.y };
    });
    const at = nearest(by, points) ?? by;
    const astray = !held.tracks.length || apart(at, by) > Math.min(held.box.width, held.box.height) / 2;
    const end = nearest(at, [{ x: 0, y: 0 }, ...held.tracks]);
    Object.assign(held, { by, at, astray, track: !astray && end.step ? end : null });
  }

  letGo() {
    const { held } = this;
    this.held = null;
    if (!held?.far) return;
    this.over.replaceChildren();
    held.mark.classList.remove("held");
    held.mark.removeAttribute("style");
    const back = { translate: [`${held.at.x}px ${held.at.y}px`, "0px 0px"] };
    if (!this.stage.calm.matches) held.mark.animate(back, { duration: 150, easing: "ease-out" });
  }

  async release(event) {
    const { held } = this;
    if (!held) return;
    if (held.track) {
      this.held = null; // it stays where it was released until the next picture moves it to its goal
      await this.game.do("move", held.track.step);
      if (!held.mark.isConnected) return;
      this.held = held; // the move failed
      this.letGo();
      return;
    }
    const to = this.point(event);
    const below = this.marksAt(event); // the mark being dragged is not found here
    this.letGo();
    if (held.number === null) this.clickPlace(to, event);
    else if (!held.far) this.clickMark(held.number);
    else if (held.astray) this.drop(held, below);
  }

  /* Dropped beside its tracks: both pieces are meant, or a walk. */
  drop({ number, middle, by, tracks }, below) {
    const other = below.find((one) => one !== number && this.with([number, one]).length);
    if (other !== undefined) this.choose([number, other]);
    else if (tracks.length) this.game.do("walk", number, [middle.x + by.x, middle.y + by.y]);
    else this.game.remark("This piece cannot go there.");
  }

  // -- clicking ------------------------------------------------------------------------

  clickMark(number) {
    if (this.chosen.includes(number)) this.choose([]);
    else if (this.with([...this.chosen, number]).length) this.choose([...this.chosen, number]);
    else this.choose([number]);
  }

  /* Clicked beside all pieces: make the only move that ends there, or let the only piece walk there. */
  clickPlace(to, event) {
    const meant = this.with(this.chosen).filter((step) =>
      step.goals.some(([x, y]) => apart(to, { x, y }) < NEAR));
    const walker = this.walker();
    if (meant.length === 1) this.game.do("move", meant[0]);
    else if (!event.target.closest("svg")) this.choose([]);
    else if (!meant.length && walker !== null) this.game.do("walk", walker, [to.x, to.y]);
    else {
      this.choose([]);
      if (this.steps.length) this.game.remark(meant.length ? "Several pieces can go there: choose one." : "No move goes there.");
    }
  }

  /* The chosen piece; else the only one that every move moves. */
  walker() {
    const able = this.chosen.length ? this.chosen : (this.steps[0]?.marks ?? []);
    const every = able.filter((number) => this.chosen.length || this.with([number]).length === this.steps.length);
    return every.length === 1 ? every[0] : null;
  }

  /* Select marks: a single move with them is made; of several, the destinations are shown. */
  choose(numbers) {
    const meant = numbers.length ? this.with(numbers) : [];
    if (meant.length === 1) {
      this.game.do("move", meant[0]);
      return;
    }
    this.chosen = numbers;
    this.hint(null);
    this.only("chosen", numbers);
    for (const step of meant) {
      const goal = goalOf(step, numbers[0]);
      if (!goal) continue;
      const shown = this.over.appendChild(target(goal, step.label));
      shown.addEventListener("click", () => this.game.do("move", step));
    }
    this.game.choose(meant.length ? meant : null);
  }
}

/* Where a mark goes in a step, in picture coordinates; null if nowhere. */
function goalOf(step, number) {
  const [x, y] = step.goals[step.marks.indexOf(number)] ?? [];
  return x === undefined ? null : { x, y };
}

function apart(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function nearest(to, points) {
  return points.reduce((best, one) => (!best || apart(one, to) < apart(best, to) ? one : best), null);
}

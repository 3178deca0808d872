/* The picture on the board, and how a pointer acts on it: click or drag a piece, or click where one
   can go. The server says which marks belong to which moves. */

const SVG = "http://www.w3.org/2000/svg";
const FAR = 6; // pixels after which it is a drag
const SMALLEST = 0.8; // how far a picture shrinks before the board scrolls

/* Read a picture that the server drew. */
export function picture(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (read.localName !== "svg") throw new Error("the server sent no picture");
  return document.importNode(read, true);
}

export class Board {
  /* does(step): make a move; chose(steps): these moves are selected, null for no selection. */
  constructor(element, does, chose) {
    this.element = element;
    this.does = does;
    this.chose = chose;
    this.stage = new Stage(element);
    this.steps = [];
    this.chosen = [];
    this.held = null;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    element.addEventListener("pointerup", (event) => this.release(event));
    element.addEventListener("pointercancel", () => this.letGo());
  }

  /* Show a position. */
  show(facts, travels) {
    this.letGo();
    this.chosen = [];
    this.steps = facts.steps;
    const drawn = picture(facts.picture);
    const wide = drawn.width.baseVal.value;
    drawn.style.minWidth = `${SMALLEST * wide}px`;
    this.stage.show(drawn, travels);
    this.element.classList.toggle("small", wide < 340);
    const movable = new Set(this.steps.flatMap((step) => step.marks));
    for (const [number, mark] of Stage.marks(drawn)) {
      mark.classList.toggle("movable", movable.has(number));
    }
  }

  say(text) {
    const said = document.createElement("p");
    said.textContent = text;
    this.element.replaceChildren(said);
    this.steps = [];
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

  /* Convert a point of the screen to picture coordinates. */
  point(event) {
    const svg = this.element.querySelector("svg");
    const matrix = svg?.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
  }

  press(event) {
    if (event.button !== 0 || event.target.closest(".target")) return;
    const [number] = this.marksAt(event);
    const from = this.point(event);
    if (!from) return;
    this.held = { number: number ?? null, from, x: event.clientX, y: event.clientY, far: false };
    if (number !== undefined) this.element.setPointerCapture?.(event.pointerId);
  }

  drag(event) {
    const held = this.held;
    if (!held || held.number === null) return;
    held.far ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR;
    if (!held.far) return;
    const now = this.point(event);
    const mark = this.mark(held.number);
    mark.classList.add("held");
    mark.style.translate = `${now.x - held.from.x}px ${now.y - held.from.y}px`;
    mark.style.pointerEvents = "none";
  }

  letGo() {
    if (this.held?.far) {
      const mark = this.mark(this.held.number);
      mark?.classList.remove("held");
      mark?.removeAttribute("style");
    }
    this.held = null;
  }

  release(event) {
    const held = this.held;
    if (!held) return;
    const to = this.point(event);
    const below = this.marksAt(event); // the mark being dragged is not found here
    this.letGo();
    if (held.number === null) this.clickPlace(to);
    else if (!held.far) this.clickMark(held.number);
    else this.drop(held, to, below);
  }

  /* Dropped: make the move that ends nearest to there, or the move of both pieces. */
  drop(held, to, below) {
    const [dx, dy] = [to.x - held.from.x, to.y - held.from.y];
    const middle = this.middle(held.number);
    const ends = this.with([held.number])
      .map((step) => ({ step, goal: step.goals[step.marks.indexOf(held.number)] }))
      .filter(({ goal }) => goal)
      .map(({ step, goal }) => ({
        step,
        off: Math.hypot(goal[0] - middle.x - dx, goal[1] - middle.y - dy),
        way: Math.hypot(goal[0] - middle.x, goal[1] - middle.y),
      }))
      .sort((one, other) => one.off - other.off);
    if (ends.length && ends[0].off < Math.hypot(dx, dy) && ends[0].off < ends[0].way) {
      this.does(ends[0].step);
      return;
    }
    const other = below.find((number) => number !== held.number && this.with([held.number, number]).length);
    if (other !== undefined) this.choose([held.number, other]);
  }

  middle(number) {
    const box = this.mark(number).getBBox();
    const [x, y] = Stage.place(this.mark(number));
    return { x: x + box.x + box.width / 2, y: y + box.y + box.height / 2 };
  }

  clickMark(number) {
    if (this.chosen.includes(number)) this.choose([]);
    else if (this.with([...this.chosen, number]).length) this.choose([...this.chosen, number]);
    else this.choose([number]);
  }

  /* Clicked beside all pieces: make the only move that ends there. */
  clickPlace(to) {
    const there = this.steps.filter((step) =>
      step.goals.some(([x, y]) => Math.hypot(x - to.x, y - to.y) < 20));
    const meant = this.chosen.length ? there.filter((step) => this.with(this.chosen).includes(step)) : there;
    if (meant.length === 1) this.does(meant[0]);
    else this.choose([]);
  }

  /* Select marks: a single move with them is made; of several, the destinations are shown. */
  choose(numbers) {
    const meant = numbers.length ? this.with(numbers) : [];
    if (meant.length === 1) {
      this.does(meant[0]);
      return;
    }
    this.chosen = numbers;
    for (const [number, mark] of Stage.marks(this.element)) {
      mark.classList.toggle("chosen", numbers.includes(number));
    }
    this.showTargets(meant);
    this.chose(meant.length ? meant : null);
  }

  showTargets(steps) {
    for (const old of this.element.querySelectorAll(".target")) old.remove();
    const svg = this.element.querySelector("svg");
    for (const step of steps) {
      const goal = step.goals[step.marks.indexOf(this.chosen[0])];
      if (!goal) continue;
      const target = document.createElementNS(SVG, "circle");
      target.setAttribute("class", "target");
      target.setAttribute("cx", goal[0]);
      target.setAttribute("cy", goal[1]);
      target.setAttribute("r", "11");
      const name = target.appendChild(document.createElementNS(SVG, "title"));
      name.textContent = step.label;
      target.addEventListener("click", () => this.does(step));
      svg.append(target);
    }
  }
}

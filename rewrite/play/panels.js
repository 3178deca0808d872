/* The panels beside the board. Texts of a puzzle are inserted as text, never as markup. */

import { BEST, markOf } from "./levels.js";
import { same } from "./link.js";

export const at = (id) => document.getElementById(id);

/* An element with these properties and children; a child may be a text. */
export function made(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/* Refill an element; the focus keeps its place among its buttons, or goes to the board. */
function fill(box, children) {
  const place = [...box.querySelectorAll("button")].indexOf(document.activeElement);
  box.replaceChildren(...children);
  if (place < 0) return;
  (box.querySelectorAll("button")[place] ?? at("board")).focus({ preventScroll: true });
}

/* The moves as buttons; if some are selected, these get the numbers. */
export function showMoves(facts, meant, hinted, does) {
  const counted = meant ?? facts.steps;
  const buttons = facts.steps.map((step) => {
    const number = counted.indexOf(step) + 1;
    const shown = made("button", { type: "button", onclick: (event) => does(step, event.detail === 0) });
    if (number > 0 && number < 10) shown.append(made("kbd", { ariaHidden: "true" }, number));
    shown.append(made("span", {}, labelOf(step.move)));
    const remarks = [step.cost !== null && `cost ${step.cost}`, step.visited && "was here", step.dead && "leads to no goal"];
    const said = remarks.filter(Boolean).join(", ");
    if (said) shown.append(made("small", {}, said));
    const kinds = { visited: step.visited, dead: step.dead, aside: number === 0, hinted: hinted !== null && same(step.move, hinted) };
    shown.classList.add(...Object.keys(kinds).filter((kind) => kinds[kind]));
    return shown;
  });
  const none = facts.fault || (facts.goal?.reached ? "No move: this is the end." : "No move leads on from here.");
  fill(at("moves"), buttons.length ? buttons : [made("p", { className: "soft" }, none)]);
  at("moves").querySelector(".hinted")?.scrollIntoView({ block: "nearest" });
}

export function labelOf(move) {
  return (Array.isArray(move) ? move[0] : move) || "(no label)";
}

/* A text, with the raw text behind it one click away where there is one. */
function withRaw(text, raw) {
  return raw ? made("details", {}, made("summary", {}, text), made("code", {}, raw)) : made("span", {}, text);
}

export function showIdle(idle) {
  at("why").hidden = at("why").open && !idle.length; // while closed, it is not requested
  const lines = idle.map(({ rule, why, raw }) => made("li", {}, made("strong", {}, rule), withRaw(why, raw)));
  at("idle").replaceChildren(...lines);
}

export function showGoal({ goal }) {
  at("goal").hidden = !goal;
  if (!goal) return;
  const parts = goal.parts.map(({ text, holds, raw }) => {
    const [className, said] = holds ? ["holds", "holds"] : holds === null ? ["unknown", "cannot be judged"] : ["", "does not hold"];
    return made("li", { className }, withRaw(text, raw), made("span", { className: "unseen" }, ` (${said})`));
  });
  at("parts").replaceChildren(...parts);
  const holding = goal.parts.filter(({ holds }) => holds).length;
  at("goal").querySelector("summary").textContent = parts.length > 1 ? `Goal: ${holding} of ${parts.length} parts hold` : "Goal";
}

/* The current line to its end, and at each position the other moves made there. goes(moves): go
   to the position after these. While the panel is closed only its title is shown. */
export function showWay(line, number, goes) {
  at("way").querySelector("summary").textContent = `The way so far: ${count(number, "step")}`;
  if (!at("way").open) return;
  const before = [];
  const lines = line.map(({ move, others }, index) => {
    const here = [...before];
    before.push(move);
    const going = (one, more) => made("button", { type: "button", onclick: () => goes([...here, one]), ...more }, labelOf(one));
    const branches = others.map((one) => going(one, { className: "branch", title: "another way from here" }));
    const shown = made("li", { className: index < number ? "" : "redo" }, going(move), ...branches);
    if (index === number - 1) shown.ariaCurrent = "step";
    return shown;
  });
  fill(at("made"), lines);
}

export function showChoices(choices, game) {
  if (!at("chooser").length) at("chooser").replaceChildren(...choices.map(({ name }) => new Option(name, name)));
  const place = choices.findIndex(({ name }) => name === game.p);
  at("chooser").selectedIndex = place; // -1: every option can be chosen
  const known = choices[place];
  at("about").textContent = known?.about ?? "";
  at("words-help").textContent = known?.words ? `Words: ${known.words}` : "";
  at("wording").hidden = known?.words === "" && !game.w.length;
}

export function showLevel(game, level) {
  at("level").hidden = !level;
  if (!level) return;
  const sign = markOf(game);
  const title = level.title.endsWith(level.number) ? level.title : `${level.title}, ${level.number}`;
  at("level-title").textContent = `${title} of ${level.of} ${sign}`.trim();
  at("level-title").title = sign && (sign === BEST ? "solved with the fewest steps" : "solved");
}

/* The number of steps, and their cost if different. */
export function spent(steps, cost) {
  return (cost ?? null) === null ? steps : `${steps}, cost ${cost}`;
}

export function count(number, word) {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

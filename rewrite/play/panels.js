/* The panels beside the board. Texts of a puzzle are inserted as text, never as markup. */

import { BEST, markOf } from "./levels.js";
import { same } from "./link.js";

export const at = (id) => document.getElementById(id);

function made(name, text = "", kind = "") {
  const element = document.createElement(name);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function button(text = "") {
  const element = made("button", text);
  element.type = "button";
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
    const shown = button();
    const number = counted.indexOf(step) + 1;
    if (number > 0 && number < 10) {
      const key = made("kbd", String(number));
      key.setAttribute("aria-hidden", "true");
      shown.append(key);
    }
    shown.append(made("span", labelOf(step.move)));
    const remarks = [];
    if (step.cost !== null) remarks.push(`cost ${step.cost}`);
    if (step.visited) remarks.push("was here");
    if (step.dead) remarks.push("leads to no goal");
    if (remarks.length) shown.append(made("small", remarks.join(", ")));
    shown.classList.toggle("visited", step.visited);
    shown.classList.toggle("dead", step.dead);
    shown.classList.toggle("aside", number === 0);
    shown.classList.toggle("hinted", hinted !== null && same(step.move, hinted));
    shown.addEventListener("click", (event) => does(step, event.detail === 0));
    return shown;
  });
  const none = facts.fault || (facts.goal?.reached ? "No move: this is the end." : "No move leads on from here.");
  fill(at("moves"), buttons.length ? buttons : [made("p", none, "soft")]);
  at("moves").querySelector(".hinted")?.scrollIntoView({ block: "nearest" });
}

export function labelOf(move) {
  return (Array.isArray(move) ? move[0] : move) || "(no label)";
}

/* A text, with the raw text behind it one click away where there is one. */
function withRaw(text, raw) {
  if (!raw) return made("span", text);
  const shown = made("details");
  shown.append(made("summary", text), made("code", raw));
  return shown;
}

export function showIdle(idle) {
  at("why").hidden = at("why").open && !idle.length; // while closed, it is not requested
  at("idle").replaceChildren(
    ...idle.map(({ rule, why, raw }) => {
      const line = made("li");
      line.append(made("strong", rule), withRaw(why, raw));
      return line;
    }),
  );
}

export function showGoal(facts) {
  const { goal } = facts;
  at("goal").hidden = !goal;
  if (!goal) return;
  const parts = goal.parts.map(({ text, holds, raw }) => {
    const line = made("li", "", holds ? "holds" : holds === null ? "unknown" : "");
    line.append(withRaw(text, raw), made("span", holds ? " (holds)" : holds === null ? " (cannot be judged)" : " (does not hold)", "unseen"));
    return line;
  });
  if (goal.of > goal.parts.length) parts.push(made("li", `… and ${goal.of - goal.parts.length} more`));
  at("parts").replaceChildren(...parts);
  at("goal").querySelector("summary").textContent =
    goal.of > 1 ? `Goal: ${goal.holding} of ${goal.of} parts hold` : "Goal";
}

/* The current line to its end, and at each position the other moves made there. goes(moves): go
   to the position after these. While the panel is closed only its title is shown. */
export function showWay(line, number, goes) {
  at("way").querySelector("summary").textContent = `The way so far: ${count(number, "step")}`;
  if (!at("way").open) return;
  const moves = line.map(({ move }) => move);
  const lines = line.map(({ move, others }, index) => {
    const shown = made("li", "", index < number ? "" : "redo");
    [move, ...others].forEach((one, other) => {
      const going = shown.appendChild(button(labelOf(one)));
      going.classList.toggle("branch", other > 0);
      if (other) going.title = "another way from here";
      going.addEventListener("click", () => goes([...moves.slice(0, index), one]));
    });
    if (index === number - 1) shown.setAttribute("aria-current", "step");
    return shown;
  });
  fill(at("made"), lines);
}

export function showChoices(choices, game) {
  const chosen = game?.p;
  const listed = [...at("chooser").options].map(({ value }) => value);
  if (!same(listed, choices.map(({ name }) => name))) at("chooser").replaceChildren(...choices.map(({ name }) => new Option(name, name)));
  at("chooser").selectedIndex = choices.findIndex(({ name }) => name === chosen); // -1: every option can be chosen
  const known = choices.find(({ name }) => name === chosen);
  at("about").textContent = known?.about ?? "";
  at("words-help").textContent = known?.words ? `Words: ${known.words}` : "";
  at("wording").hidden = known?.words === "" && !game.w?.length;
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

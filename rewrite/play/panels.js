/* The panels beside the board. Texts of a puzzle are inserted as text, never as markup. */

import { picture } from "./board.js";

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

/* Whether two moves are equal: labels, or labels with numbers. */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function labelOf(move) {
  return (Array.isArray(move) ? move[0] : move) || "(no label)";
}

export function showIdle(facts) {
  at("why").hidden = at("why").open && !facts.idle.length; // while closed, it was not requested
  at("idle").replaceChildren(
    ...facts.idle.map(({ rule, why }) => {
      const line = made("li");
      line.appendChild(button(rule)).disabled = true;
      line.append(made("span", why));
      return line;
    }),
  );
}

export function showGoal(facts) {
  const { goal } = facts;
  at("goal").hidden = !goal;
  if (!goal) return;
  const parts = goal.parts.map(({ text, holds }) => {
    const line = made("li", text, holds ? "holds" : holds === null ? "unknown" : "");
    line.append(made("span", holds ? " (holds)" : holds === null ? " (cannot be judged)" : " (does not hold)", "unseen"));
    return line;
  });
  if (goal.of > goal.parts.length) parts.push(made("li", `… and ${goal.of - goal.parts.length} more`));
  at("parts").replaceChildren(...parts);
  at("goal").querySelector("summary").textContent =
    goal.of > 1 ? `Goal: ${goal.holding} of ${goal.of} parts hold` : "Goal";
}

/* The moves made, and those that can be redone. */
export function showWay(moves, redo, goes) {
  const lines = [...moves, ...redo.toReversed()].map((move, index) => {
    const line = made("li", "", index < moves.length ? "" : "redo");
    line.appendChild(button(labelOf(move))).addEventListener("click", () => goes(index + 1));
    if (index === moves.length - 1) line.setAttribute("aria-current", "step");
    return line;
  });
  fill(at("made"), lines);
  at("way").querySelector("summary").textContent = `The way so far: ${count(moves.length, "step")}`;
}

export function showMap({ text, picture: drawn }) {
  at("map-text").textContent = text;
  at("map-picture").replaceChildren(...(drawn ? [picture(drawn)] : []));
  const here = at("map-picture").querySelector(".rw-node-current");
  if (!here) return;
  const frame = at("map-picture");
  const [node, outer] = [here.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollTop += node.top - outer.top - (outer.height - node.height) / 2;
}

export function showChoices(choices, chosen) {
  at("chooser").replaceChildren(
    ...choices.map(({ name }) => {
      const option = made("option", name);
      option.value = name;
      option.selected = name === chosen;
      return option;
    }),
  );
  const known = choices.find(({ name }) => name === chosen);
  if (!known) at("chooser").selectedIndex = -1; // so that every option can be chosen
  at("about").textContent = known?.about ?? "";
  at("words-help").textContent = known?.words ? `Words: ${known.words}` : "";
  at("words").closest("form").classList.toggle("wordless", !known?.words);
}

/* The number of steps, and their cost if different. */
export function spent(steps, cost) {
  return (cost ?? null) === null ? steps : `${steps}, cost ${cost}`;
}

export function count(number, word) {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

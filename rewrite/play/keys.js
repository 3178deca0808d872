/* The only table of keys: the page listens to these, and `?` shows them. */

import { made } from "./panels.js";

export const TABLE = [
  { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], shown: "1 – 9", says: "the moves", does: (game, key) => game.do("numbered", Number(key)) },
  { keys: ["ArrowUp"], shown: "↑", says: "the only move upwards", does: (game) => game.do("along", "up") },
  { keys: ["ArrowDown"], shown: "↓", says: "… downwards", does: (game) => game.do("along", "down") },
  { keys: ["ArrowLeft"], shown: "←", says: "… to the left", does: (game) => game.do("along", "left") },
  { keys: ["ArrowRight"], shown: "→", says: "… to the right", does: (game) => game.do("along", "right") },
  { keys: ["z", "u"], shown: "z, u", says: "undo", does: (game) => game.do("undo") },
  { keys: ["y"], shown: "y", says: "redo", does: (game) => game.do("redo") },
  { keys: ["r"], shown: "r", says: "restart", does: (game) => game.do("restart") },
  { keys: ["h"], shown: "h", says: "hint; again: make that move", does: (game) => game.do("hint") },
  { keys: ["s"], shown: "s", says: "solve from here", does: (game) => game.do("solve") },
  { keys: [" "], shown: "space", says: "play on what was undone or solved; pause", does: (game) => game.do("play") },
  { keys: ["Escape"], shown: "Esc", says: "cancel: a search, the playing, a choice, keys that wait", does: (game) => game.do("cancel") },
  { keys: ["?"], shown: "?", says: "this table", does: (game) => game.do("help") },
];

/* Listen to the keys of this element only: not with modifiers, not in fields. */
export function hear(element, game) {
  element.addEventListener("keydown", (event) => {
    if (event.target !== element || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const key = heard(event);
    const row = TABLE.find((one) => one.keys.includes(key));
    if (!row || (event.shiftKey && !/^[1-9?]$/.test(key))) return;
    event.preventDefault();
    if (!event.repeat || !game.busy) row.does(game, key);
  });
}

/* The name of a key in the table. Digits also go by key position: some layouts need Shift. */
function heard({ key, code }) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  const [, digit] = /^(?:Digit|Numpad)([1-9])$/.exec(code) ?? [];
  return digit && !TABLE.some((one) => one.keys.includes(name)) ? digit : name;
}

/* Write the table into the body of a <table>. */
export function print(body) {
  body.replaceChildren(
    ...TABLE.map(({ shown, says }) => made("tr", {}, made("td", {}, made("kbd", {}, shown)), made("td", {}, says))),
  );
}

/* The one table of keys: what it lists is what is heard, and what `?` shows. */

export const TABLE = [
  { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], shown: "1 – 9", says: "the moves", does: (game, key) => game.numbered(Number(key)) },
  { keys: ["ArrowUp"], shown: "↑", says: "the only move upwards", does: (game) => game.along("up") },
  { keys: ["ArrowDown"], shown: "↓", says: "… downwards", does: (game) => game.along("down") },
  { keys: ["ArrowLeft"], shown: "←", says: "… to the left", does: (game) => game.along("left") },
  { keys: ["ArrowRight"], shown: "→", says: "… to the right", does: (game) => game.along("right") },
  { keys: ["z", "u"], shown: "z, u", says: "undo", does: (game) => game.undo() },
  { keys: ["y"], shown: "y", says: "redo", does: (game) => game.redo() },
  { keys: ["r"], shown: "r", says: "restart", does: (game) => game.restart() },
  { keys: ["h"], shown: "h", says: "hint; again: make that move", does: (game) => game.hint() },
  { keys: ["s"], shown: "s", says: "solve from here", does: (game) => game.solve() },
  { keys: [" "], shown: "space", says: "play on what was undone or solved; pause", does: (game) => game.play() },
  { keys: ["Escape"], shown: "Esc", says: "cancel: a search, the playing, a choice", does: (game) => game.cancel() },
  { keys: ["?"], shown: "?", says: "this table", does: (game) => game.help() },
];

/* Hear the keys of an element, and of nothing else: not with modifiers, not in fields. */
export function hear(element, game) {
  element.addEventListener("keydown", (event) => {
    if (event.target !== element || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const row = TABLE.find((one) => one.keys.includes(key));
    if (!row || (event.shiftKey && key !== "?")) return;
    event.preventDefault();
    row.does(game, key);
  });
}

/* Write the table into the body of a <table>. */
export function print(body) {
  body.replaceChildren(
    ...TABLE.map(({ shown, says }) => {
      const row = document.createElement("tr");
      const key = row.insertCell().appendChild(document.createElement("kbd"));
      key.textContent = shown;
      row.insertCell().textContent = says;
      return row;
    }),
  );
}

/* The game in the address: puzzle, words, scramble, moves and the digest of the rules. */

const parts = { w: [], s: null, m: [], d: null };

/* Return the key and the game of an address; null where it holds none. */
export function read(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const key = given.get("t");
  if (!given.get("p")) return { key, game: null };
  const game = { p: given.get("p") };
  for (const [name, otherwise] of Object.entries(parts)) {
    game[name] = name === "d" ? given.get(name) : parsed(given.get(name), otherwise);
  }
  return { key, game };
}

function parsed(text, otherwise) {
  try {
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/* Return the fragment of a game; what it says by itself is left out. */
export function written(game, key = null) {
  const said = key ? [["t", key]] : [];
  said.push(["p", game.p]);
  if (game.w?.length) said.push(["w", JSON.stringify(game.w)]);
  if (game.s) said.push(["s", JSON.stringify(game.s)]);
  if (game.m?.length) said.push(["m", JSON.stringify(game.m)]);
  if (game.d) said.push(["d", game.d]);
  return `#${said.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join("&")}`;
}

/* Words as they are typed: those with blanks in them stand in quotes. */
export function words(text) {
  const found = text.matchAll(/"([^"]*)"|(\S+)/g);
  return Array.from(found, ([, quoted, plain]) => quoted ?? plain);
}

export function typed(given) {
  return given.map((word) => (/^[^\s"]+$/.test(word) ? word : `"${word}"`)).join(" ");
}

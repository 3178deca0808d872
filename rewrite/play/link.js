/* The game in the address: puzzle, words, scramble, moves and the digest of the rules. */

/* The parts written as JSON: their names, and a check of each. */
const parts = {
  w: { called: "words", right: (value) => list(value) && value.every((word) => typeof word === "string") },
  s: { called: "scramble", right: (value) => value === null || (list(value) && value.length === 2 && value.every(Number.isInteger)) },
  m: { called: "moves", right: (value) => list(value) },
};

const list = Array.isArray;

/* A game before its first move. */
export function fresh(p, w = [], s = null) {
  return { p, w, s, m: [], d: null };
}

/* Return the key and the game of an address (null if there is none), and its damaged parts. */
export function read(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const key = given.get("t");
  const game = { ...fresh(given.get("p")), d: given.get("d") };
  const bad = [];
  for (const [name, { called, right }] of Object.entries(parts)) {
    if (!given.has(name)) continue;
    const value = parsed(given.get(name));
    if (value !== undefined && right(value)) game[name] = value;
    else bad.push(`the ${called} (${name})`);
  }
  if (!game.p && Object.keys(parts).some((name) => given.has(name))) bad.unshift("the puzzle (p)");
  const damage = bad.length ? `The link is damaged: ${bad.join(" and ")} cannot be read. Ask for it anew, or choose a puzzle.` : "";
  return { key, game: game.p ? game : null, damage };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/* Return an address without its key, otherwise unchanged. */
export function keyless(hash = location.hash) {
  const left = hash.replace(/^#/, "").split("&");
  return `#${left.filter((part) => !part.startsWith("t=")).join("&")}`;
}

/* Return the fragment of a game, without default values. */
export function written({ p, w, s, m, d }, key = null) {
  const text = (list) => list?.length && JSON.stringify(list);
  const parts = Object.entries({ t: key, p, w: text(w), s: text(s), m: text(m), d }).filter(([, value]) => value);
  return `#${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

/* Words as typed: quoted if they contain blanks. */
export function words(text) {
  const found = text.matchAll(/"([^"]*)"|(\S+)/g);
  return Array.from(found, ([, quoted, plain]) => quoted ?? plain);
}

export function typed(given) {
  return given.map((word) => (/^[^\s"]+$/.test(word) ? word : `"${word}"`)).join(" ");
}

/* Whether two moves are equal: labels, or labels with numbers. Games are compared alike. */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

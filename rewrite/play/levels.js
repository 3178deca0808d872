/* Which levels were solved, and which with the fewest steps. */

import { keep, recall } from "./kept.js";

export const [SOLVED, BEST] = ["✓", "★"];

const nameOf = ({ p, w }) => `level ${JSON.stringify([p, w])}`;

export function markOf(game) {
  return recall("localStorage", nameOf(game)) ?? "";
}

export function mark(game, sign) {
  if (markOf(game) !== BEST) keep("localStorage", nameOf(game), sign);
}

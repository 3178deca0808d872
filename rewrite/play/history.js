/* The moves of a game as a tree: undone moves stay, and so does a way left for another move. */

import { keep, recall } from "./kept.js";
import { same } from "./link.js";

const MOST = 2000; // moves in a tree; beyond this only the current line is kept

export class Tree {
  /* The tree of this puzzle, words and scramble, as far as this tab kept it. */
  constructor(game) {
    this.name = Tree.nameOf(game);
    this.nodes = recall("sessionStorage", this.name) ?? [{ move: null, ways: [] }];
    this.here = 0; // nodes and their ways are numbers; the first way is the current line
    this.number = 0; // of moves to here
  }

  static nameOf({ p, w, s }) {
    return JSON.stringify([p, w, s]);
  }

  of(game) {
    return this.name === Tree.nameOf(game);
  }

  save() {
    keep("sessionStorage", this.name, this.nodes);
  }

  /* Stand after these moves. */
  go(moves) {
    this.here = this.lead(0, moves);
    this.number = moves.length;
    if (this.nodes.length > MOST) this.prune(this.line().map(({ move }) => move));
  }

  /* Whether one move leads from a node to another. */
  leads(from, to) {
    return Boolean(this.nodes[from]?.ways.includes(to));
  }

  /* Keep only one line. */
  prune(moves) {
    this.nodes = [{ move: null, ways: [] }];
    this.lead(0, moves);
    this.here = Math.min(this.number, this.nodes.length - 1);
  }

  /* Make these moves the current line after here. */
  plan(moves) {
    this.lead(this.here, moves);
  }

  lead(from, moves) {
    for (const move of moves) {
      const { ways } = this.nodes[from];
      let next = ways.findIndex((way) => same(this.nodes[way].move, move));
      [next] = next < 0 ? [this.nodes.push({ move, ways: [] }) - 1] : ways.splice(next, 1);
      ways.unshift(next);
      from = next;
    }
    return from;
  }

  /* The current line: each move, and the moves made instead of it at other times. */
  line(from = 0) {
    const line = [];
    for (let { ways } = this.nodes[from]; ways.length; { ways } = this.nodes[ways[0]]) {
      const [move, ...others] = ways.map((way) => this.nodes[way].move);
      line.push({ move, others });
    }
    return line;
  }

  /* The next move of the current line, if any. */
  get next() {
    const [way] = this.nodes[this.here].ways;
    return way && this.nodes[way].move;
  }
}

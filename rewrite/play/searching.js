/* A search for a way to a goal, and what is said of it. It runs beside the moves. */

import { count, labelOf, spent } from "./panels.js";

export class Search {
  /* first: whether the first move of the answer suffices, which comes sooner. */
  constructor(server, game, first = true) {
    this.server = server;
    this.asked = { game, first };
    this.job = null;
    this.over = false;
  }

  /* The answer; null if the search was stopped before. The server waits for news, not the page. */
  async answer(progress = () => {}) {
    let facts = await this.server.ask("hint", this.asked);
    while (facts.state !== "done" && !this.over) {
      this.job = facts.job;
      progress(told(facts));
      facts = await this.server.ask("job", { job: this.job }).catch((error) => {
        if (error.status !== 404) throw error;
        return this.server.ask("hint", this.asked); // another server: start again
      });
    }
    if (this.over && facts.state !== "done") this.server.leave("cancel", { job: facts.job });
    return this.over ? null : facts.answer;
  }

  stop() {
    this.over = true;
    if (this.job) this.server.leave("cancel", { job: this.job });
  }
}

function told({ state, states, depth, seconds }) {
  if (state === "waiting") return "Waiting for other searches to end … (Esc cancels)";
  const seen = states ? `${count(states, "state")} seen, depth ${depth}, ` : "";
  return `Searching: ${seen}${seconds.toFixed(1)} s (Esc cancels)`;
}

function proved({ optimal, cost }) {
  return optimal ? (cost === null ? ", the fewest there are" : ", the cheapest way") : "";
}

export function hinted(answer) {
  return `Hint: ${labelOf(answer.moves[0])}. ${spent(count(answer.left, "step"), answer.cost)} to a goal${proved(answer)}. Hint again makes the move.`;
}

export function solved(answer) {
  return `Solved in ${spent(count(answer.left, "step"), answer.cost)}${proved(answer)}.`;
}

/* What a proved way costs in all, through a position with these facts; null if none is known. */
export function total({ left, cost, number }) {
  return left?.optimal ? (cost ?? number) + (left.cost ?? left.left) : null;
}

/* What a move lost against what was known before it. */
export function lost(more, cost) {
  if (more <= 0) return "";
  return cost === null ? `${count(more, "step")} longer than before.` : `It costs ${more} more than before.`;
}

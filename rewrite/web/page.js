/* The page on which a puzzle is played. The game is in the address; the server only answers. */

import { Board } from "./board.js";
import { hear, print } from "./keys.js";
import { read, typed, words, written } from "./link.js";
import { at, count, labelOf, same, showChoices, showGoal, showIdle, showMap, showMoves, showWay } from "./panels.js";
import { Refused, Server } from "./server.js";

const POLL = 250; // milliseconds between two questions how far a search is
const PACE = 450; // and between two moves that are played

class Game {
  constructor() {
    this.server = new Server((text) => this.banner("gone", text));
    this.board = new Board(at("board"), (step) => this.move(step), (meant) => this.choose(meant));
    this.game = null; // what the link says
    this.facts = null; // what the server told of it
    this.undone = []; // moves that can be made again, the next one last
    this.hinted = null;
    this.searching = null; // the search that runs
    this.playing = false;
    this.turn = Promise.resolve(); // one thing after the other
    this.choices = [];
    this.first = null;
  }

  // -- the address ---------------------------------------------------------------------

  async begin() {
    const { key, game } = read();
    this.server.open(key);
    try {
      const { choices, first } = await this.server.ask("puzzles");
      [this.choices, this.first] = [choices, first];
      await this.open(game ?? this.fresh(first.p, first.w));
    } catch (error) {
      this.fail(error);
      this.board.say(error.message);
    }
  }

  fresh(p, w = [], s = null) {
    return { p, w, s, m: [], d: null };
  }

  /* Play another game: the one of a link, or a new one. */
  open(game) {
    this.stopPlaying();
    this.stopSearch();
    return this.queue(async () => {
      if (await this.go(game, null)) {
        this.undone = [];
        this.showAll();
      } else if (this.game) {
        this.address();
      }
    });
  }

  address() {
    const link = written(this.game, this.server.kept ? null : this.server.key);
    if (location.hash !== link) history.replaceState(null, "", link);
  }

  // -- moving --------------------------------------------------------------------------

  /* Do something when everything before it is done. */
  queue(work) {
    this.turn = this.turn.then(work).catch((error) => this.fail(error));
    return this.turn;
  }

  /* Ask for a position and show it; all that a move costs is this one question. */
  async go(game, travels) {
    let facts;
    try {
      facts = await this.server.ask("position", { game, why: at("why").open && !this.playing });
    } catch (error) {
      this.fail(error);
      if (!this.facts) this.board.say(error.message);
      return false;
    }
    this.game = { ...game, m: facts.moves, d: facts.digest };
    this.facts = facts;
    this.hinted = null;
    this.board.show(facts, travels === undefined ? facts.travels : travels);
    this.remark(this.lost(facts));
    this.showAll();
    this.address();
    return true;
  }

  lost({ changed, lost, number }) {
    if (changed) return `The rules have changed since this link was made; ${lost ? `${number} of ${number + lost} moves are legal still.` : "all its moves are legal still."}`;
    return lost ? `${count(lost, "move")} of this link ${lost === 1 ? "is" : "are"} not legal; ${number ? `the first ${number} were made.` : "none was made."}` : "";
  }

  move(step, byKey = false) {
    this.stopPlaying();
    const { moves, number } = this.facts;
    return this.queue(async () => {
      if (this.facts.number !== number || !same(this.facts.moves, moves)) return; // it was meant elsewhere
      await this.step(step.move);
      this.refocus(byKey);
    });
  }

  async step(move) {
    const again = this.undone.at(-1);
    if (!(await this.go({ ...this.game, m: [...this.game.m, move] }))) return;
    if (again !== undefined && same(again, move)) this.undone.pop();
    else this.undone = [];
    showWay(this.game.m, this.undone, (index) => this.jump(index));
    this.showControls();
  }

  undo() {
    this.stopPlaying();
    return this.queue(() => this.back());
  }

  async back() {
    if (!this.game.m.length) return;
    const back = this.facts.travels.map(([before, after]) => [after, before]);
    const last = this.game.m.at(-1);
    if (await this.go({ ...this.game, m: this.game.m.slice(0, -1) }, back)) {
      this.undone.push(last);
      this.showAll();
    }
  }

  redo() {
    this.stopPlaying();
    return this.queue(async () => {
      if (this.undone.length) await this.step(this.undone.at(-1));
    });
  }

  restart() {
    return this.jump(0);
  }

  /* Go to where so many moves are made, of those that were made and undone. */
  jump(number) {
    this.stopPlaying();
    return this.queue(async () => {
      const every = [...this.game.m, ...this.undone.toReversed()];
      if (number === this.game.m.length) return;
      if (await this.go({ ...this.game, m: every.slice(0, number) }, null)) {
        this.undone = every.slice(number).reverse();
        this.showAll();
      }
    });
  }

  /* The moves are read when their turn comes: keys may be faster than the server. */
  numbered(number) {
    this.stopPlaying();
    return this.queue(async () => {
      const step = (this.meant ?? this.facts?.steps ?? [])[number - 1];
      if (step) await this.step(step.move);
      else this.remark(`There is no move ${number} here.`);
    });
  }

  along(way) {
    this.stopPlaying();
    return this.queue(async () => {
      const found = this.facts.steps.filter((step) => step.way === way);
      if (found.length === 1) await this.step(found[0].move);
      else this.remark(found.length ? `${count(found.length, "move")} go ${way}: choose one.` : `No move goes ${way}.`);
    });
  }

  choose(meant = null) {
    this.meant = meant;
    showMoves(this.facts, meant, this.hinted, (step, byKey) => this.move(step, byKey));
    if (meant) this.remark(`${count(meant.length, "move")} with this piece: choose where it goes, or by number.`);
  }

  // -- playing by itself ---------------------------------------------------------------

  play() {
    if (this.playing) {
      this.stopPlaying();
      return;
    }
    if (!this.undone.length) {
      this.remark("Nothing to play: it plays on what was undone or solved.");
      return;
    }
    this.playing = true;
    this.showControls();
    this.tick();
  }

  tick() {
    this.queue(async () => {
      if (!this.playing) return;
      const began = performance.now();
      await this.step(this.undone.at(-1));
      if (!this.undone.length) {
        this.stopPlaying();
        this.reread();
        return;
      }
      setTimeout(() => this.tick(), Math.max(0, PACE - (performance.now() - began)));
    });
  }

  stopPlaying() {
    if (!this.playing) return;
    this.playing = false;
    this.showControls();
    this.reread();
  }

  /* Ask again for what is shown: the file of the puzzle may have been changed. */
  reread() {
    return this.queue(async () => {
      if (!this.game || this.playing) return;
      const [note, error, hinted] = [at("note").textContent, at("note").classList.contains("error"), this.hinted];
      if (!(await this.go(this.game, null)) || this.facts.changed || this.facts.lost) return;
      this.remark(note, error); // nothing has changed: what was said is true still
      this.hinted = hinted;
      this.choose(null);
    });
  }

  // -- searching -----------------------------------------------------------------------

  hint() {
    if (this.hinted !== null) {
      const step = this.facts.steps.find((one) => same(one.move, this.hinted));
      if (step) this.move(step);
      return;
    }
    this.search("hint");
  }

  solve() {
    this.search("solve");
  }

  search(wish) {
    if (this.searching || !this.facts) return;
    this.stopPlaying();
    this.queue(() => {}).then(() => this.searchNow(wish));
  }

  async searchNow(wish) {
    if (this.searching) return;
    const search = { job: null, game: this.game, over: false };
    this.searching = search;
    this.remark("Searching …");
    this.showControls();
    try {
      let facts = await this.server.ask("hint", { game: search.game });
      while (facts.state !== "done") {
        search.job = facts.job;
        if (search.over) this.server.leave("cancel", { job: search.job });
        if (search.over) return;
        this.remark(this.progress(facts));
        await new Promise((go) => setTimeout(go, POLL));
        facts = await this.server.ask("job", { job: search.job }).catch((error) => {
          if (error.status !== 404) throw error;
          return this.server.ask("hint", { game: search.game }); // another server: it begins anew
        });
      }
      if (!search.over) await this.answered(wish, search, facts.answer);
    } catch (error) {
      if (!search.over) this.fail(error);
    } finally {
      if (this.searching === search) this.searching = null;
      this.showControls();
    }
  }

  progress({ state, states, depth, seconds }) {
    if (state === "waiting") return "Waiting for other searches to end … (Esc cancels)";
    const seen = states ? `${count(states, "state")} seen, depth ${depth}, ` : "";
    return `Searching: ${seen}${seconds.toFixed(1)} s (Esc cancels)`;
  }

  async answered(wish, search, answer) {
    if (!same(search.game.m, this.game.m)) return; // a move was made meanwhile
    if (answer.status !== "found") {
      if (answer.status === "exhausted") await this.reread();
      this.remark(answer.status === "interrupted" ? "Cancelled." : answer.text, answer.status === "error");
      return;
    }
    this.facts.left = { steps: answer.left, optimal: answer.optimal };
    this.showStatus();
    if (!answer.left) {
      this.remark("This is a goal already.");
    } else if (wish === "hint") {
      [this.hinted] = answer.moves;
      this.choose(null);
      this.remark(`Hint: ${labelOf(this.hinted)}. ${this.far(answer)} Hint again makes the move.`);
    } else {
      this.undone = answer.moves.toReversed();
      showWay(this.game.m, this.undone, (index) => this.jump(index));
      this.play();
      this.remark(`${answer.text}. Space pauses.`);
    }
  }

  far({ left, optimal }) {
    return `${count(left, "step")} to a goal${optimal ? ", no way is shorter" : ""}.`;
  }

  stopSearch() {
    const search = this.searching;
    if (!search) return;
    search.over = true;
    this.searching = null;
    if (search.job) this.server.ask("cancel", { job: search.job }).catch(() => {});
    this.remark("Cancelled.");
    this.showControls();
  }

  cancel() {
    if (this.searching) this.stopSearch();
    else if (this.playing) this.stopPlaying();
    else this.board.choose([]);
  }

  leave() {
    if (this.searching?.job) this.server.leave("cancel", { job: this.searching.job });
  }

  // -- another instance ----------------------------------------------------------------

  async scramble() {
    const steps = Math.min(200, Math.max(1, Math.round(Number(at("far").value)) || 20));
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    this.remark("Going back from a goal …");
    const { p, w } = this.game ?? this.first;
    const before = this.facts;
    at("scramble").disabled = true;
    await this.open(this.fresh(p, w, [steps, seed >>> 1]));
    const worked = this.facts !== before;
    at("scramble").disabled = !worked; // the reason is in the note, and stays with the button
    at("scramble").title = worked ? "" : at("note").textContent;
  }

  newWords() {
    at("scramble").disabled = false;
    at("scramble").title = "";
    this.open(this.fresh(this.game?.p ?? this.first.p, words(at("words").value)));
    at("board").focus();
  }

  newPuzzle() {
    at("scramble").disabled = false;
    at("scramble").title = "";
    this.open(this.fresh(at("chooser").value));
  }

  async copy() {
    const link = location.origin + location.pathname + written(this.game);
    try {
      await navigator.clipboard.writeText(link);
      this.remark("The link of this game is copied; it holds no key.");
    } catch {
      this.remark(`The link of this game: ${link}`);
    }
  }

  // -- showing -------------------------------------------------------------------------

  showAll() {
    const { facts, game } = this;
    this.meant = null;
    showChoices(this.choices, game.p);
    if (document.activeElement !== at("words")) at("words").value = typed(game.w ?? []);
    document.title = `${game.p} · rewrite play`;
    showMoves(facts, null, this.hinted, (step, byKey) => this.move(step, byKey));
    showIdle(facts);
    showGoal(facts);
    showWay(game.m, this.undone, (index) => this.jump(index));
    this.showStatus();
    this.showControls();
    this.banner("trouble", facts.trouble && `The file was changed and cannot be read; the puzzle as it was before is played on.\n${facts.trouble}`);
    const what = facts.label ? `Move ${facts.number}: ${facts.label}. ` : "Start. ";
    at("told").textContent = `${what}${at("status").textContent} ${facts.text.slice(0, 400)}`;
    if (at("map").open && !this.playing) this.map();
  }

  showStatus() {
    const { facts } = this;
    const made = facts.cost === null ? count(facts.number, "step") : `${count(facts.number, "step")}, cost ${facts.cost}`;
    const reached = facts.goal?.reached ?? false;
    const left = facts.left && !reached ? ` · ${facts.left.steps} left${facts.left.optimal ? "" : " on the way that is known"}` : "";
    const dead = facts.dead && !reached;
    at("status").textContent = reached ? `Goal reached: ${made}` : dead ? `${made} · no goal can be reached from here` : `${made}${left}`;
    at("status").classList.toggle("reached", reached);
    at("status").classList.toggle("dead", dead);
  }

  showControls() {
    const { facts } = this;
    const made = this.game?.m.length ?? 0;
    const off = { undo: !made, restart: !made, redo: !this.undone.length };
    const why = !facts?.goal ? "The puzzle has no goal" : facts.goal.reached ? "This is a goal" : facts.dead ? "No goal can be reached from here" : "";
    for (const button of document.querySelectorAll("[data-do]")) {
      const name = button.dataset.do;
      button.disabled = off[name] ?? (["hint", "solve"].includes(name) && (why !== "" || this.searching !== null));
      if (["hint", "solve"].includes(name)) button.title = why;
      if (name === "play") button.hidden = !this.undone.length && !this.playing;
      if (name === "play") button.textContent = this.playing ? "Pause" : "Play";
      if (name === "cancel") button.hidden = this.searching === null;
    }
    if (facts && !facts.goal) {
      at("scramble").disabled = true;
      at("scramble").title = "The puzzle has no goal to go back from";
    }
  }

  async map() {
    const { game } = this;
    at("map-text").textContent ||= "Drawing …";
    try {
      const facts = await this.server.ask("map", { game });
      if (game === this.game) showMap(facts);
    } catch (error) {
      showMap({ text: error.message, picture: "" });
    }
  }

  remark(text, error = false) {
    at("note").textContent = text;
    at("note").classList.toggle("error", error);
  }

  fail(error) {
    this.remark(error.message, true);
    if (!(error instanceof Refused)) console.error(error);
  }

  banner(id, text) {
    at(id).hidden = !text;
    at(id).textContent = text;
  }

  /* After a move by pointer the keys are the board's again; by keyboard the place is kept. */
  refocus(byKey) {
    if (!byKey) {
      at("board").focus({ preventScroll: true });
      return;
    }
    const buttons = at("moves").querySelectorAll("button");
    (buttons[0] ?? at("board")).focus();
  }

  help() {
    at("keys").showModal();
  }
}

const game = new Game();
print(at("keys").querySelector("tbody"));
hear(at("board"), game);
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", (event) => {
    game[button.dataset.do]();
    if (event.detail) at("board").focus({ preventScroll: true });
  });
}
at("instance").addEventListener("submit", (event) => {
  event.preventDefault();
  game.newWords();
});
at("chooser").addEventListener("change", () => game.newPuzzle());
at("scramble").addEventListener("click", () => game.scramble());
at("copy").addEventListener("click", () => game.copy());
at("help").addEventListener("click", () => game.help());
at("to-board").addEventListener("click", (event) => {
  event.preventDefault(); // the fragment is the game's
  at("board").focus();
});
at("why").addEventListener("toggle", () => at("why").open && game.facts && game.reread());
at("map").addEventListener("toggle", () => at("map").open && game.game && game.map());
addEventListener("hashchange", () => {
  const { key, game: given } = read();
  if (key) game.server.open(key);
  if (given) game.open(given);
});
addEventListener("pagehide", () => game.leave());
addEventListener("focus", () => game.facts && game.reread());
await game.begin();
at("board").focus({ preventScroll: true });

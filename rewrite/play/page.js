/* The page for playing a puzzle. The game is in the address; the server only answers. */

import { Board } from "./board.js";
import { hear, print } from "./keys.js";
import { keyless, read, typed, words, written } from "./link.js";
import { at, count, labelOf, same, showChoices, showGoal, showIdle, showMap, showMoves, showWay, spent } from "./panels.js";
import { Refused, Server } from "./server.js";

const POLL = 250; // milliseconds between requests for the progress of a search
const PACE = 450; // and between moves during playback
const MOST_WAITING = 8; // keys and clicks in the queue

class Game {
  constructor() {
    this.server = new Server((text) => this.banner("gone", text));
    this.board = new Board(at("board"), (step) => this.move(step), (meant) => this.choose(meant));
    this.game = null; // from the link
    this.facts = null; // from the server, about the game
    this.undone = []; // moves to redo, the next one last
    this.hinted = null;
    this.searching = null; // the running search
    this.playing = false;
    this.paced = 0; // when the last move was played
    this.timer = null; // for the next one
    this.turn = Promise.resolve(); // actions run one after another
    this.waiting = 0; // how many of them are queued
    this.round = 0; // requests of earlier rounds are dropped
    this.unscrambled = ""; // why scrambling is impossible now
    this.choices = [];
    this.first = null;
  }

  /* Run the action of a key or a button; the only place that checks that there is a game. */
  do(name, ...given) {
    return this.facts || name === "help" ? this[name](...given) : null;
  }

  get busy() {
    return this.waiting > 0 || this.searching !== null || this.playing;
  }

  // -- the address ---------------------------------------------------------------------

  begin() {
    this.board.say("Loading …");
    this.showControls();
    return this.follow();
  }

  /* Go where the address says. Its key is removed from it before the first request. */
  follow() {
    const { key, game, damage } = read();
    this.server.open(key);
    if (key && this.server.kept) history.replaceState(null, "", keyless());
    this.stop();
    return this.queue(async () => {
      if (damage) this.shut(damage);
      await this.meet(game);
      if (!damage && (game || !this.game)) await this.start(game ?? this.fresh(this.first.p, this.first.w));
    });
  }

  /* Request the available puzzles, once. */
  async meet(game) {
    if (!this.first) ({ choices: this.choices, first: this.first } = await this.server.ask("puzzles"));
    if (this.facts) return;
    showChoices(this.choices, game?.p ?? this.first.p);
    at("words").value = typed(game?.w ?? []);
  }

  /* Drop the game and say why; the address stays unchanged. */
  shut(why) {
    [this.game, this.facts, this.undone, this.hinted] = [null, null, [], null];
    this.board.say(why);
    this.remark(why, true);
    this.banner("trouble", "");
    at("status").textContent = "";
    at("told").textContent = "";
    at("side").hidden = true;
    document.title = "rewrite play";
    this.showControls();
  }

  fresh(p, w = [], s = null) {
    return { p, w, s, m: [], d: null };
  }

  /* Play another game, from a link or new. */
  open(game, saying) {
    this.stop();
    return this.queue(() => this.start(game, saying));
  }

  async start(game, saying = "Loading …") {
    this.remark(saying);
    this.unscrambled = "";
    const opened = await this.go(game, [], null);
    if (!opened && this.game) {
      showChoices(this.choices, this.game.p);
      this.address();
    }
    return opened;
  }

  stop() {
    this.round += 1;
    this.stopPlaying();
    this.stopSearch();
  }

  address() {
    const link = written(this.game, this.server.kept ? null : this.server.key);
    if (location.hash !== link) history.replaceState(null, "", link);
  }

  // -- moving --------------------------------------------------------------------------

  /* Run an action after all earlier ones. */
  queue(work) {
    this.waiting += 1;
    this.turn = this.turn
      .then(work)
      .catch((error) => this.fail(error))
      .finally(() => {
        this.waiting -= 1;
      });
    return this.turn;
  }

  /* The same for a player's action: if it is impossible, the reason is shown. That is checked only
     when its turn comes, since keys may be faster than the server. */
  act(name, work) {
    this.stopPlaying();
    const { round } = this;
    if (this.waiting >= MOST_WAITING) return this.turn;
    return this.queue(async () => {
      if (round !== this.round) return;
      const why = this.why(name);
      if (why) this.remark(why);
      else await work();
    });
  }

  /* Why an action is impossible now; "" if it is possible. */
  why(name) {
    const { facts, searching, undone, unscrambled } = this;
    if (!facts) return "No game is open.";
    const made = this.game.m.length ? "" : "No move was made.";
    const lost = !facts.goal ? "The puzzle has no goal." : facts.goal.reached ? "This is a goal." : facts.dead ? "No goal can be reached from here." : "";
    const found = lost || (searching ? "A search is running (Esc cancels)." : "");
    const reasons = {
      undo: made,
      restart: made,
      redo: undone.length ? "" : "No move was undone.",
      hint: found,
      solve: found,
      scramble: facts.goal ? unscrambled : "The puzzle has no goal to go back from.",
    };
    return reasons[name] ?? "";
  }

  /* Request a position and show it; a move needs only this request.
     undone: the moves that can then be redone. */
  async go(game, undone, travels) {
    let facts;
    try {
      facts = await this.server.ask("position", { game, why: at("why").open && !this.playing });
    } catch (error) {
      this.fail(error);
      return false;
    }
    this.game = { ...game, m: facts.moves, d: facts.digest };
    this.facts = facts;
    this.undone = facts.lost ? [] : undone;
    this.hinted = null;
    this.board.show(facts, travels === undefined ? facts.travels : travels);
    const late = this.searching !== null && !same(this.searching.game, this.game);
    if (late) this.stopSearch();
    this.remark(this.lost(facts) || (late ? "Cancelled: the position has changed." : ""));
    this.showAll();
    this.address();
    return true;
  }

  lost({ changed, lost, number }) {
    if (changed) return `The rules have changed since this link was made; ${lost ? `${number} of ${number + lost} moves are legal still.` : "all its moves are legal still."}`;
    return lost ? `${count(lost, "move")} of this link ${lost === 1 ? "is" : "are"} not legal; ${number ? `the first ${number} were made.` : "none was made."}` : "";
  }

  move(step, byKey = false) {
    const { moves, number } = this.facts;
    return this.act("move", async () => {
      if (this.facts.number !== number || !same(this.facts.moves, moves)) return; // chosen in another position
      await this.step(step.move);
      if (!byKey) at("board").focus({ preventScroll: true }); // after a pointer, keys go to the board
    });
  }

  step(move) {
    const again = this.undone.length > 0 && same(this.undone.at(-1), move);
    return this.go({ ...this.game, m: [...this.game.m, move] }, again ? this.undone.slice(0, -1) : []);
  }

  undo() {
    return this.act("undo", () => {
      const back = this.facts.travels.map(([before, after]) => [after, before]);
      const { m } = this.game;
      return this.go({ ...this.game, m: m.slice(0, -1) }, [...this.undone, m.at(-1)], back);
    });
  }

  redo() {
    return this.act("redo", () => this.step(this.undone.at(-1)));
  }

  restart() {
    return this.act("restart", () => this.goTo(0));
  }

  /* Go to the position after this many of the moves made and undone. */
  jump(number) {
    return this.act("jump", () => this.goTo(number));
  }

  goTo(number) {
    const every = [...this.game.m, ...this.undone.toReversed()];
    if (number === this.game.m.length) return null;
    return this.go({ ...this.game, m: every.slice(0, number) }, every.slice(number).reverse(), null);
  }

  numbered(number) {
    return this.act("numbered", async () => {
      const step = (this.meant ?? this.facts.steps)[number - 1];
      if (step) await this.step(step.move);
      else this.remark(`There is no move ${number} here.`);
    });
  }

  along(way) {
    return this.act("along", async () => {
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

  // -- playback ------------------------------------------------------------------------

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
    this.pace();
  }

  /* Play the next move when it is due; all callers share one timer. */
  pace() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tick(), Math.max(0, this.paced + PACE - performance.now()));
  }

  tick() {
    this.queue(async () => {
      if (!this.playing) return;
      this.paced = performance.now();
      const made = this.undone.length > 0 && (await this.step(this.undone.at(-1)));
      if (made && this.undone.length) this.pace();
      else this.stopPlaying();
    });
  }

  stopPlaying() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.playing = false;
    this.showControls();
    this.reread();
  }

  /* Request the shown position again: the puzzle's file may have changed. */
  reread() {
    return this.queue(async () => {
      if (!this.game || this.playing) return;
      const [note, error, hinted] = [at("note").textContent, at("note").classList.contains("error"), this.hinted];
      if (!(await this.go(this.game, this.undone, null)) || this.facts.changed || this.facts.lost) return;
      this.remark(note, error); // nothing has changed: the note still holds
      this.hinted = hinted;
      this.choose(null);
    });
  }

  // -- searching -----------------------------------------------------------------------

  hint() {
    return this.act("hint", async () => {
      if (this.hinted === null) this.search("hint");
      else await this.step(this.hinted);
    });
  }

  solve() {
    return this.act("solve", async () => {
      this.search("solve");
    });
  }

  /* Runs alongside the queue, and ends when the game moves on. */
  async search(wish) {
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
          return this.server.ask("hint", { game: search.game }); // another server: start again
        });
      }
      if (!search.over) await this.answered(wish, facts.answer);
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

  async answered(wish, answer) {
    if (answer.status !== "found") {
      if (answer.status === "exhausted") await this.reread();
      if (!this.searching) return; // a move was made in the meantime
      this.remark(answer.status === "interrupted" ? "Cancelled." : answer.text, answer.status === "error");
      return;
    }
    this.facts.left = { ...answer, steps: answer.left };
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
      if (!this.playing) this.play();
      this.remark(`${answer.text}. Space pauses.`);
    }
  }

  far({ left, cost, word }) {
    const proved = { shortest: ": no way is shorter", cheapest: ": the cheapest way" };
    return `${spent(count(left, "step"), cost)} to a goal${proved[word] ?? ""}.`;
  }

  stopSearch() {
    const search = this.searching;
    if (!search) return;
    search.over = true;
    this.searching = null;
    if (search.job) this.server.ask("cancel", { job: search.job }).catch(() => {});
    this.showControls();
  }

  cancel() {
    this.round += 1;
    if (this.searching) {
      this.stopSearch();
      this.remark("Cancelled.");
    } else if (this.playing) this.stopPlaying();
    else this.board.choose([]);
  }

  leave() {
    if (this.searching?.job) this.server.leave("cancel", { job: this.searching.job });
  }

  // -- another instance ----------------------------------------------------------------

  async scramble() {
    const why = this.why("scramble");
    if (why) {
      this.remark(why);
      return;
    }
    const steps = Math.min(200, Math.max(1, Math.round(Number(at("far").value)) || 20));
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    const { p, w } = this.game;
    if (await this.open(this.fresh(p, w, [steps, seed >>> 1]), "Going back from a goal …")) return;
    this.unscrambled = at("note").textContent; // the reason stays with the button
    this.showControls();
  }

  newWords() {
    const p = this.game?.p ?? (at("chooser").value || this.first?.p);
    this.open(this.fresh(p, words(at("words").value)));
    at("board").focus();
  }

  newPuzzle() {
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
    at("side").hidden = false;
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
    const what = facts.number ? `Move ${facts.number}: ${labelOf(facts.label)}. ` : "Start. ";
    at("told").textContent = `${what}${at("status").textContent} ${facts.text.slice(0, 400)}`;
    if (at("map").open && !this.playing) this.map();
  }

  showStatus() {
    const { facts } = this;
    const made = spent(count(facts.number, "step"), facts.cost);
    const reached = facts.goal?.reached ?? false;
    const left = facts.left && !reached ? ` · ${spent(`${facts.left.steps} left`, facts.left.cost)}${facts.left.optimal ? "" : " on the way that is known"}` : "";
    const dead = facts.dead && !reached;
    at("status").textContent = reached ? `Goal reached: ${made}` : dead ? `${made} · no goal can be reached from here` : `${made}${left}`;
    at("status").classList.toggle("reached", reached);
    at("status").classList.toggle("dead", dead);
  }

  /* Impossible actions are disabled, but keep the focus, and say why when pressed. */
  showControls() {
    for (const button of document.querySelectorAll("[data-do]")) {
      const name = button.dataset.do;
      const why = this.why(name);
      button.setAttribute("aria-disabled", String(why !== ""));
      button.setAttribute("aria-description", why);
      button.title = why;
      if (name === "play") button.hidden = !this.undone.length && !this.playing;
      if (name === "play") button.textContent = this.playing ? "Pause" : "Play";
      if (name === "cancel") button.hidden = this.searching === null;
    }
    if (document.activeElement.closest("[hidden]")) at("board").focus({ preventScroll: true });
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
    if (!this.facts) this.board.say(error.message);
    if (!(error instanceof Refused)) console.error(error);
  }

  banner(id, text) {
    at(id).hidden = !text;
    at(id).textContent = text;
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
    game.do(button.dataset.do);
    if (event.detail && button.closest(".bar")) at("board").focus({ preventScroll: true });
  });
}
at("instance").addEventListener("submit", (event) => {
  event.preventDefault();
  game.newWords();
});
at("chooser").addEventListener("change", () => game.newPuzzle());
at("to-board").addEventListener("click", (event) => {
  event.preventDefault(); // the fragment belongs to the game
  at("board").focus();
});
at("why").addEventListener("toggle", () => at("why").open && game.facts && game.reread());
at("map").addEventListener("toggle", () => at("map").open && game.game && game.map());
at("help").addEventListener("click", () => game.help());
addEventListener("hashchange", () => game.follow());
addEventListener("pagehide", () => game.leave());
addEventListener("focus", () => game.facts && game.reread());
await game.begin();
if (document.activeElement === document.body) at("board").focus({ preventScroll: true });

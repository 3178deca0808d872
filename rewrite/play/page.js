/* The page for playing a puzzle. The game is in the address; the server only answers. */

import { Board } from "./board.js";
import { Tree } from "./history.js";
import { hear, print } from "./keys.js";
import { BEST, mark, markOf, SOLVED } from "./levels.js";
import { fresh, keyless, read, same, typed, words, written } from "./link.js";
import { MapView } from "./map.js";
import { at, count, showChoices, showGoal, showIdle, showLevel, showMoves, showWay, spent } from "./panels.js";
import { hinted, lost, Search, solved, total } from "./searching.js";
import { Refused, Server } from "./server.js";

const PACE = 450; // milliseconds between moves during playback
const SOON = 40; // milliseconds before pictures are asked for that nobody waits for
const MOST_WAITING = 32; // keys and clicks in the queue
const [MAP, LARGE_MAP] = [150, 2000]; // the most states in a map
const AT_ONCE = ["cancel", "copy", "help", "play"]; // actions that do not queue
const POINTED = ["move", "walk"]; // actions that mean the position in which they were asked for
const NO_WAY = "No goal can be reached from here any more: Undo.";

class Game {
  constructor() {
    this.server = new Server((text) => this.banner("gone", text));
    this.board = new Board(at("board"), this);
    this.map = new MapView(at("map-picture"), (node) => this.do("visit", node));
    this.game = null; // from the link
    this.facts = null; // from the server, about the game
    this.ahead = []; // pictures after moves from it
    this.tree = null; // its moves, and those made before
    this.total = null; // what the last known way to a goal costs from the start
    this.hinted = null;
    this.searching = null; // the search that is shown
    this.quiet = null; // the one that judges the last move
    this.playing = null; // the running playback
    this.paced = 0; // when the last move was played
    this.most = MAP;
    this.linked = ""; // the last part of the address that was followed or written
    this.turn = Promise.resolve(); // actions run one after another
    this.waiting = 0; // how many of them are queued
    this.round = 0; // requests of earlier rounds are dropped
    this.unscrambled = ""; // why scrambling is impossible now
    this.offer = null; // the puzzles that can be chosen, and the first
    this.board.say("Loading …");
  }

  /* Run the action of a key, a button or a piece after all earlier ones. If it is impossible, the
     reason is shown. That is checked only when its turn comes, since keys may be faster than the
     server. The only place that checks that there is a game. */
  do(name, ...given) {
    if (!this.facts && name !== "help") return null;
    if (AT_ONCE.includes(name)) return this[name](...given);
    this.stopPlaying();
    const { game, round } = this;
    if (this.waiting >= MOST_WAITING) return this.turn;
    return this.queue(async () => {
      if (round !== this.round || (POINTED.includes(name) && !same(game, this.game))) return;
      const why = this.why(name);
      if (why) this.remark(why);
      else await this[name](...given);
    });
  }

  get busy() {
    return this.waiting > 0 || this.searching !== null || this.playing !== null;
  }

  // -- the address ---------------------------------------------------------------------

  /* Go where the address says. Its key is removed from it before the first request. */
  follow() {
    const { key, game, damage } = read();
    this.server.open(key);
    if (key && this.server.kept) history.replaceState(null, "", keyless());
    this.linked = location.hash;
    this.stop();
    return this.queue(async () => {
      if (damage) this.shut(damage);
      await this.meet(game);
      if (damage) return;
      if (game && this.facts && this.tree.of(game)) await this.go(game, { entry: "replaceState" });
      else if (game || !this.game) await this.start(game ?? fresh(this.offer.first.p, this.offer.first.w), "Loading …", "replaceState");
    });
  }

  /* Request the available puzzles, once. */
  async meet(game) {
    this.offer ??= await this.server.ask("puzzles");
    if (this.facts) return;
    showChoices(this.offer.choices, game ?? fresh(this.offer.first.p));
    at("words").value = typed(game?.w ?? []);
  }

  /* Drop the game and say why; the address stays unchanged. */
  shut(why) {
    [this.game, this.facts, this.tree, this.hinted] = [null, null, null, null];
    this.board.say(why);
    this.remark(why, true);
    this.banner("trouble", "");
    at("status").textContent = "";
    at("told").textContent = "";
    for (const id of ["side", "map"]) at(id).hidden = true;
    document.title = "rewrite play";
    this.showControls();
  }

  /* Play another game, from a link or new. */
  open(game) {
    this.stop();
    return this.queue(() => this.start(game));
  }

  async start(game, saying = "Loading …", entry = undefined) {
    this.remark(saying);
    await this.go(game, { entry }).catch((error) => {
      if (this.game) showChoices(this.offer.choices, this.game);
      if (this.game) this.address("replaceState");
      throw error;
    });
  }

  stop() {
    this.round += 1;
    this.stopPlaying();
    this.stopSearch();
  }

  address(entry) {
    const link = written(this.game, this.server.kept ? null : this.server.key);
    if (location.hash === link) return;
    // Another address may be about to be followed: the one left is not written over it.
    if (entry === "replaceState" && location.hash !== this.linked) return;
    try {
      history[entry](null, "", link);
      this.linked = location.hash;
    } catch {
      // Safari takes 100 in ten seconds; the next move is written again
    }
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

  /* Why an action is impossible now; "" if it is possible. */
  why(name) {
    const { facts, searching, tree, unscrambled } = this;
    if (!facts) return "No game is open.";
    const made = this.game.m.length ? "" : "No move was made.";
    const lost = !facts.goal ? "The puzzle has no goal." : facts.goal.reached ? "This is a goal." : facts.dead ? "No goal can be reached from here." : "";
    const found = lost || (searching ? "A search is running (Esc cancels)." : "");
    const reasons = {
      undo: made,
      restart: made,
      redo: tree.next === undefined ? "No move was undone." : "",
      hint: found,
      solve: found,
      previous: facts.level?.previous ? "" : "This is the first level.",
      next: facts.level?.next ? "" : "This is the last level.",
      scramble: facts.goal ? unscrambled : "The puzzle has no goal to go back from.",
    };
    return reasons[name] ?? "";
  }

  /* Request a position and show it; a move needs only this request.
     entry: how it goes into the browser's history. own: whether the player made a move. */
  async go(game, { entry = "pushState", own = false } = {}) {
    const facts = await this.server.ask("position", { game });
    const again = same(game, this.game);
    this.game = { ...game, m: facts.moves, d: facts.digest };
    const before = this.tree?.of(game) ? this.facts : null;
    [this.facts, this.ahead] = [facts, []];
    if (!before) [this.tree, this.total, this.unscrambled] = [new Tree(game), null, ""];
    const from = this.tree.here;
    this.tree.go(facts.moves);
    const [on, back] = [this.tree.leads(from, this.tree.here), this.tree.leads(this.tree.here, from)];
    const travels = before && (on ? facts.travels : back ? before.travels.map(([old, now]) => [now, old]) : null);
    if (facts.lost) this.tree.prune(facts.moves);
    if (!own && !this.playing) this.total = total(facts) ?? this.total;
    const moved = (search) => search !== null && !same(search.asked.game, this.game);
    const late = moved(this.searching);
    if (late) this.stopSearch();
    if (moved(this.quiet)) this.quiet.stop();
    const note = this.lost(facts) || (late ? "Cancelled: the position has changed." : "");
    if (note || !(again || this.playing)) this.remark(note);
    if (note || !again) this.hinted = null;
    this.board.show(facts, travels);
    this.showAll();
    this.address(entry);
    this.settle();
    if (facts.goal?.reached && facts.level && !game.s && (this.playing?.walking ?? true)) this.finish();
  }

  /* What can wait until the position is painted. */
  settle() {
    const { game } = this;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => setTimeout(() => {
      this.tree?.save();
      if (!this.facts || this.playing) return;
      if (at("why").open) this.extra("why", {}, (facts) => showIdle(facts.idle ?? [{ rule: "", why: facts.error }]));
      if (at("map").open) this.drawMap();
      setTimeout(() => this.busy || game !== this.game || this.lookAhead(), SOON);
    }));
  }

  /* Request the pictures after the next moves. */
  lookAhead() {
    this.extra("ahead", {}, ({ pictures }) => (this.ahead = pictures ?? []));
  }

  /* Request more about the position; an answer that comes too late is dropped. */
  async extra(question, body, show) {
    const { game } = this;
    const facts = await this.server.ask(question, { game, ...body }).catch(({ message }) => ({ error: message }));
    if (game === this.game) show(facts);
  }

  lost({ changed, lost, number }) {
    if (changed) return `The rules have changed since this link was made; ${lost ? `${number} of ${number + lost} moves are legal still.` : "all its moves are legal still."}`;
    return lost ? `${count(lost, "move")} of this link ${lost === 1 ? "is" : "are"} not legal; ${number ? `the first ${number} were made.` : "none was made."}` : "";
  }

  async move(step, byKey = false) {
    await this.step(step.move);
    if (!byKey) at("board").focus({ preventScroll: true }); // after a pointer, keys go to the board
  }

  async step(move, entry) {
    const own = !this.playing;
    if (!own) this.paced = performance.now();
    const seen = this.ahead.find((one) => same(one.move, move));
    if (seen) this.board.foresee(seen);
    await this.go({ ...this.game, m: [...this.game.m, move] }, { entry, own }).catch((error) => {
      if (seen) this.board.show(this.facts, null);
      throw error;
    });
    if (own) this.judge();
    return true;
  }

  undo() {
    return this.go({ ...this.game, m: this.game.m.slice(0, -1) });
  }

  redo() {
    return this.step(this.tree.next);
  }

  restart() {
    return this.go({ ...this.game, m: [] });
  }

  /* Go to the position after these moves. */
  jump(moves) {
    return same(moves, this.game.m) || this.go({ ...this.game, m: moves });
  }

  /* Let the piece of a mark walk to a place in the picture, as far as its own moves lead there. */
  async walk(mark, to) {
    const { moves } = await this.server.ask("walk", { game: this.game, mark, to });
    if (moves.length) this.playOn(moves, true);
  }

  async visit(node) {
    const { moves } = await this.server.ask("visit", { game: this.game, node });
    await this.go({ ...this.game, m: moves });
  }

  async numbered(number) {
    const step = (this.meant ?? this.facts.steps)[number - 1];
    if (step) await this.step(step.move);
    else this.remark(`There is no move ${number} here.`);
  }

  async along(way) {
    const found = this.facts.steps.filter((step) => step.way === way);
    if (found.length === 1) await this.step(found[0].move);
    else this.remark(found.length ? `${count(found.length, "move")} go ${way}: choose one.` : `No move goes ${way}.`);
  }

  choose(meant = null) {
    this.meant = meant;
    this.showSteps();
    if (meant) this.remark(`${count(meant.length, "move")} with this piece: choose where it goes, or by number.`);
  }

  // -- playback ------------------------------------------------------------------------

  play() {
    if (this.playing) this.stopPlaying();
    else if (this.tree.next === undefined) this.remark("Nothing to play: it plays on what was undone or solved.");
    else this.playOn();
  }

  /* Play the line on, and these moves first: one entry in the history. Quick keys do not hasten it.
     walking: whether the moves are the player's own. */
  async playOn(moves = [], walking = false) {
    this.tree.plan(moves);
    const playing = (this.playing = { walking });
    const until = moves.length ? this.game.m.length + moves.length : Infinity;
    this.showControls();
    for (let entry = "pushState"; this.playing === playing; entry = "replaceState") {
      const due = this.paced + (walking ? PACE / 3 : PACE) - performance.now();
      await new Promise((go) => setTimeout(go, Math.max(0, due)));
      const made = await this.queue(() => this.playing === playing && this.step(this.tree.next, entry));
      if (made && this.game.m.length < until && this.tree.next !== undefined) continue;
      if (this.playing === playing) this.stopPlaying();
    }
  }

  stopPlaying() {
    if (!this.playing) return;
    this.playing = null;
    this.showControls();
    this.settle();
    this.judge();
  }

  /* Request the shown position again: the puzzle's file may have changed. */
  reread() {
    return this.queue(() => this.facts && !this.playing && this.go(this.game, { entry: "replaceState" }));
  }

  // -- searching -----------------------------------------------------------------------

  async hint() {
    if (this.hinted === null) this.search("hint");
    else await this.step(this.hinted);
  }

  solve() {
    this.search("solve");
  }

  /* Runs alongside the queue, and ends when the game moves on. */
  async search(wish) {
    const search = new Search(this.server, this.game, wish === "hint");
    this.quiet?.stop();
    this.searching = search;
    this.remark("Searching …");
    this.showControls();
    try {
      const answer = await search.answer((text) => search.over || this.remark(text));
      if (answer) await this.answered(wish, answer);
    } catch (error) {
      if (!search.over) this.fail(error);
    } finally {
      if (this.searching === search) this.searching = null;
      this.showControls();
    }
  }

  async answered(wish, answer) {
    if (answer.status !== "found") {
      if (answer.status === "exhausted") await this.reread();
      if (!this.searching) return; // a move was made in the meantime
      this.remark(answer.status === "interrupted" ? "Cancelled." : answer.text, answer.status === "error");
      return;
    }
    this.learn(answer);
    this.total = total(this.facts);
    if (!answer.left) {
      this.remark("This is a goal already.");
    } else if (wish === "hint") {
      [this.hinted] = answer.moves;
      this.choose(null);
      this.remark(hinted(answer));
    } else {
      this.playOn(answer.moves);
      this.remark(solved(answer));
    }
  }

  learn(answer) {
    this.facts.left = answer;
    this.showStatus();
  }

  /* Tell a wrong turn, once a way to a goal was known in this game. */
  async judge() {
    const { game, total: before } = this;
    if (before === null || !this.facts.goal || this.facts.goal.reached) return;
    if (!this.facts.left && !this.facts.dead) {
      const quiet = (this.quiet = new Search(this.server, game));
      const answer = await quiet.answer().catch(() => null);
      if (!answer || !same(game, this.game)) return;
      if (answer.status === "exhausted") await this.reread();
      else if (answer.status === "found") this.learn(answer);
    }
    const now = total(this.facts);
    const text = this.facts.dead ? NO_WAY : now === null ? "" : lost(now - before, this.facts.cost);
    this.total = now ?? before;
    if (text) this.remark(text);
  }

  /* A level is solved: with the fewest steps? */
  async finish() {
    const { game, facts } = this;
    if (markOf(game) !== BEST) {
      mark(game, SOLVED);
      const answer = await new Search(this.server, { ...game, m: [] }).answer().catch(() => null);
      if (answer?.optimal && (answer.cost ?? answer.left) === (facts.cost ?? facts.number)) mark(game, BEST);
    }
    showLevel(this.game, this.facts?.level);
  }

  stopSearch() {
    this.quiet?.stop();
    this.searching?.stop();
    this.searching = null;
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

  // -- another instance ----------------------------------------------------------------

  async scramble() {
    const steps = Math.min(200, Math.max(1, Math.round(Number(at("far").value)) || 20));
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    const { p, w } = this.game;
    await this.start(fresh(p, w, [steps, seed >>> 1]), "Going back from a goal …").catch((error) => {
      this.unscrambled = error.message; // the reason stays with the button
      this.showControls();
      throw error;
    });
  }

  previous() {
    return this.start(fresh(this.game.p, this.facts.level.previous));
  }

  next() {
    return this.start(fresh(this.game.p, this.facts.level.next));
  }

  newWords() {
    const p = this.game?.p ?? (at("chooser").value || this.offer?.first.p);
    this.open(fresh(p, words(at("words").value)));
    at("board").focus();
  }

  newPuzzle() {
    this.open(fresh(at("chooser").value));
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
    for (const id of ["side", "map"]) at(id).hidden = false;
    showChoices(this.offer.choices, game);
    if (document.activeElement !== at("words")) at("words").value = typed(game.w);
    at("scrambling").hidden = !facts.goal;
    document.title = `${game.p} · rewrite play`;
    this.showSteps();
    showGoal(facts);
    showLevel(game, facts.level);
    this.showWay();
    this.showStatus();
    this.showControls();
    this.banner("trouble", facts.trouble && `The file was changed and cannot be read; the puzzle as it was before is played on.\n${facts.trouble}`);
    const what = facts.said || "Start";
    const ends = at("status").className && at("status").textContent;
    at("told").textContent = ends ? `${what}. ${ends}` : what;
  }

  /* The moves, and the hint among them and on the board. */
  showSteps() {
    showMoves(this.facts, this.meant, this.hinted, (step, byKey) => this.do("move", step, byKey));
    if (!this.meant) this.board.hint(this.facts.steps.find(({ move }) => same(move, this.hinted)));
  }

  showWay() {
    showWay(this.tree.line(), this.facts.number, (moves) => this.do("jump", moves));
  }

  showStatus() {
    const { facts } = this;
    const made = spent(count(facts.number, "step"), facts.cost);
    const reached = facts.goal?.reached ?? false;
    const left = facts.left && !reached ? ` · ${spent(`${facts.left.left} left`, facts.left.cost)}${facts.left.optimal ? "" : " on the way that is known"}` : "";
    const dead = !reached && (facts.end || (facts.dead && "no goal can be reached from here"));
    at("status").textContent = reached ? `Goal reached: ${made}` : dead ? `${made} · ${dead}` : `${made}${left}`;
    at("status").className = reached ? "reached" : dead ? "dead" : "";
  }

  /* Impossible actions are disabled, but keep the focus, and say why when pressed. */
  showControls() {
    for (const button of document.querySelectorAll("[data-do]")) {
      const name = button.dataset.do;
      const why = this.why(name);
      button.setAttribute("aria-disabled", String(why !== ""));
      button.setAttribute("aria-description", why);
      button.title = why;
      if (name === "play") button.hidden = !this.playing && this.tree?.next === undefined;
      if (name === "play") button.textContent = this.playing ? "Pause" : "Play";
      if (name === "cancel") button.hidden = this.searching === null;
    }
    if (document.activeElement.closest("[hidden]")) at("board").focus({ preventScroll: true });
  }

  drawMap() {
    at("map-text").textContent ||= "Drawing …";
    return this.extra("map", { most: this.most }, ({ error, text, picture }) => {
      at("map-text").textContent = error ?? text;
      this.map.show(picture);
    });
  }

  larger() {
    this.most = this.most === MAP ? LARGE_MAP : MAP;
    at("larger").setAttribute("aria-pressed", String(this.most !== MAP));
    this.drawMap();
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
    if (event.detail) at("board").focus({ preventScroll: true });
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
for (const id of ["why", "map"]) at(id).addEventListener("toggle", () => at(id).open && game.facts && game.settle());
at("way").addEventListener("toggle", () => game.facts && game.showWay());
const clicks = {
  help: () => game.help(),
  larger: () => game.larger(),
  nearer: () => game.map.scale(1.5),
  farther: () => game.map.scale(1 / 1.5),
  whole: () => game.map.fit(),
};
for (const [id, act] of Object.entries(clicks)) at(id).addEventListener("click", act);
addEventListener("hashchange", () => game.follow());
addEventListener("pagehide", () => game.stopSearch());
addEventListener("focus", () => game.facts && game.reread());
await game.follow();
if (document.activeElement === document.body) at("board").focus({ preventScroll: true });

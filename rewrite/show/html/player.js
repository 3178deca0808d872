"use strict";

/* Plays a path: the page contains the pictures and moves as a strip, for paper and for browsers
   without scripts. The player takes them from there and shows them in turn on a stage. */
class Player {
  static PAUSE = 900; // milliseconds between steps at speed 1

  constructor(section, told) {
    this.section = section;
    this.told = told; // called with the number of the shown step
    const find = (name) => section.querySelector(`.${name}`);
    this.stage = new Stage(find("stage"));
    const shown = Array.from(section.querySelectorAll(".strip > li"));
    this.pictures = shown.map((one) => one.querySelector("svg"));
    this.captions = shown.map((one) => one.querySelector("figcaption").textContent);
    this.travels = shown.map((one) => Player.pairs(one.dataset.travels));
    [this.said, this.slider, this.speed] = ["said", "slider", "speed"].map(find);
    [this.playing, this.moves, this.copied] = ["play", "moves", "copied"].map(find);
    this.ends = [["first", "back"].map(find), ["on", "last"].map(find)];
    this.last = this.pictures.length - 1;
    this.timer = null;
    this.at = null;
    this.listed = this.captions.map((caption, number) => this.move(caption, number));
    this.moves.replaceChildren(...this.listed.map((button) => button.parentElement));
    this.ends[0][0].addEventListener("click", () => this.go(0));
    this.ends[0][1].addEventListener("click", () => this.go(this.at - 1));
    this.ends[1][0].addEventListener("click", () => this.go(this.at + 1));
    this.ends[1][1].addEventListener("click", () => this.go(this.last));
    this.playing.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const copying = find("copy");
    copying.addEventListener("click", (event) => this.copy(event.detail ? null : copying));
    for (const one of [this.playing, this.slider, copying]) one.disabled = this.last === 0;
    section.addEventListener("click", (event) => {
      // after a mouse click, space plays instead of clicking again
      if (event.detail > 0) event.target.closest("button")?.blur();
    });
    this.show(0);
  }

  /* "3-4 5-6" as pairs of numbers. */
  static pairs(text) {
    return (text ?? "").split(" ").filter(Boolean).map((pair) => pair.split("-").map(Number));
  }

  move(caption, number) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = caption;
    button.addEventListener("click", () => this.go(number));
    document.createElement("li").append(button);
    return button;
  }

  /* Show a step; marks travel visibly if it is the next or the previous one. */
  show(wanted) {
    const at = Math.min(Math.max(wanted, 0), this.last);
    if (at === this.at) return;
    let travels = null;
    if (this.at !== null && at === this.at + 1) travels = this.travels[at];
    if (at === this.at - 1) travels = this.travels[this.at].map(([before, after]) => [after, before]);
    const pace = Math.min(Stage.DURATION, 0.7 * this.pause());
    this.stage.show(this.pictures[at].cloneNode(true), travels, pace);
    this.listed[this.at]?.removeAttribute("aria-current");
    this.listed[at].setAttribute("aria-current", "step");
    this.at = at;
    const label = this.captions[at].replace(/^\d+\. /, "");
    const start = this.last ? `Start, ${this.last} to go` : this.section.dataset.alone;
    this.said.textContent = at ? `Step ${at} of ${this.last}: ${label}` : start;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", this.captions[at]);
    for (const button of this.ends[0]) button.disabled = at === 0;
    for (const button of this.ends[1]) button.disabled = at === this.last;
    this.reveal(this.listed[at]);
    this.told(at);
  }

  /* Scroll only the list to a move. */
  reveal(button) {
    const top = button.offsetTop - this.moves.clientTop;
    if (top < this.moves.scrollTop) this.moves.scrollTop = top - 4;
    const bottom = top + button.offsetHeight - this.moves.clientHeight;
    if (bottom > this.moves.scrollTop) this.moves.scrollTop = bottom + 4;
  }

  pause() {
    return Player.PAUSE / Number(this.speed.value);
  }

  /* Show a step at the reader's request: playback stops. */
  go(at) {
    this.stop();
    this.show(at);
  }

  toggle() {
    if (this.last === 0) return;
    if (this.timer !== null) {
      this.stop();
      return;
    }
    if (this.at === this.last) this.show(0);
    this.playing.textContent = "Pause";
    this.said.setAttribute("aria-live", "off"); // too fast to listen to
    this.wait();
  }

  wait() {
    this.timer = setTimeout(() => {
      this.show(this.at + 1);
      if (this.at < this.last) this.wait();
      else this.stop();
    }, this.pause());
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.playing.textContent = "Play";
    this.said.setAttribute("aria-live", "polite");
  }

  /* Whether the browser may allow copying; a frame without an origin would only raise an error. */
  static mayCopy() {
    const policy = document.permissionsPolicy ?? document.featurePolicy;
    const allowed = policy?.allowsFeature?.("clipboard-write") ?? true;
    return allowed && !(self.origin === "null" && self !== top);
  }

  /* Copy the moves; if the browser forbids it, show them selected until they are copied by hand.
     back: the element that gets the focus afterwards. */
  async copy(back) {
    const text = this.captions.slice(1).join("\n");
    this.section.querySelector(".for-copying")?.remove();
    try {
      if (!Player.mayCopy()) throw new Error("not in this frame");
      await navigator.clipboard.writeText(text);
      this.copied.textContent = "Copied.";
    } catch {
      const field = document.createElement("textarea");
      field.className = "for-copying";
      field.readOnly = true;
      field.value = text;
      const done = (said) => {
        field.remove();
        this.copied.textContent = said;
        back?.focus();
      };
      field.addEventListener("copy", () => setTimeout(done, 0, "Copied."));
      field.addEventListener("keydown", (event) => {
        if (event.key === "Escape") done("");
      });
      this.copied.parentElement.append(field);
      field.focus();
      field.select();
      this.copied.textContent = "Selected: copy with Ctrl+C or ⌘C.";
    }
  }

  /* Handle a key; return whether it had an effect. */
  key(name) {
    const found = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
    }[name];
    found?.();
    return Boolean(found);
  }
}

/* The whole page: its players, one of them visible, and its address. */
class Page {
  constructor() {
    document.documentElement.classList.add("alive");
    this.chooser = document.querySelector(".answer");
    this.ready = false;
    this.players = Array.from(document.querySelectorAll(".player"), (section) => {
      return new Player(section, () => this.addressed());
    });
    this.chooser?.addEventListener("change", () => {
      this.choose(Number(this.chooser.value) - 1);
      this.addressed();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.read());
    this.choose(0);
    this.ready = true;
    this.read();
  }

  choose(number) {
    this.current = this.players[number];
    for (const player of this.players) {
      player.section.hidden = player !== this.current;
      if (player !== this.current) player.stop();
    }
    this.current.reveal(this.current.listed[this.current.at]);
  }

  /* Go where the address says: #step=7, or #answer=2&step=7. */
  read() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const answer = Number(asked.get("answer") ?? 1) - 1;
    if (this.chooser && this.players[answer]) {
      this.chooser.value = answer + 1;
      this.choose(answer);
    }
    const step = asked.get("step");
    if (/^-?\d+$/.test(step ?? "")) this.current.go(Number(step));
    if (step !== null || asked.has("answer")) this.addressed(); // correct missing numbers
  }

  /* Put what is shown into the address, so that it can be shared; some frames have no address. */
  addressed() {
    if (!this.ready) return;
    const answer = this.chooser ? `answer=${this.chooser.value}&` : "";
    try {
      history.replaceState(null, "", `#${answer}step=${this.current.at}`);
    } catch {
      return;
    }
  }

  /* Keys count only outside fields, and never with Ctrl, Alt, Shift or Meta; space, which a slider
     does not use, counts there too. */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const on = event.target.closest?.("input, select, textarea, button, summary, a");
    const sliding = on?.matches("input[type=range]") && event.key === " ";
    if (on && !sliding && (event.key === " " || !on.matches("button"))) return;
    if (this.current.key(event.key)) event.preventDefault();
  }
}

new Page();

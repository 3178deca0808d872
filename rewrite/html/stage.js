"use strict";

/* A stage holds one picture of a state and shows the next one in its place.

   The marks of a picture are `g[data-mark]` or `use[data-mark]`; what travels is seen travelling, and
   what is new fades in. It is done with the Web Animations API alone, so that a page may forbid
   styles written into elements; and not at all where a reader asked for less motion. */
class Stage {
  static DURATION = 250; // milliseconds

  constructor(element) {
    this.element = element;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /* Replace what the element holds by an <svg> element.

     travels: [before, after] numbers of the marks that are the same ones in another place; null
     where the picture is to change at once. duration: in milliseconds. */
  show(picture, travels = null, duration = Stage.DURATION) {
    const earlier = travels && !this.calm.matches ? Stage.marks(this.element) : null;
    this.element.replaceChildren(picture);
    if (!earlier) return;
    const timing = { duration, easing: "ease-in-out" };
    const from = new Map(travels.map(([before, after]) => [after, before]));
    const stays = new Map();
    for (const mark of earlier.values()) {
      const seen = Stage.seen(mark);
      stays.set(seen, (stays.get(seen) ?? 0) + 1);
    }
    for (const [number, mark] of Stage.marks(picture)) {
      const old = earlier.get(from.get(number));
      if (old) {
        const [x, y] = Stage.place(mark);
        const [oldX, oldY] = Stage.place(old);
        mark.animate({ translate: [`${oldX - x}px ${oldY - y}px`, "0px 0px"] }, timing);
        continue;
      }
      const left = stays.get(Stage.seen(mark)) ?? 0;
      stays.set(Stage.seen(mark), left - 1);
      if (left <= 0) mark.animate({ opacity: [0, 1] }, timing);
    }
  }

  /* The marks inside an element by their numbers. */
  static marks(element) {
    const found = element.querySelectorAll("[data-mark]");
    return new Map(Array.from(found, (mark) => [Number(mark.dataset.mark), mark]));
  }

  /* Where a mark is: a <g> says it by its transform, a <use> by x and y. */
  static place(mark) {
    const matrix = mark.transform.baseVal.consolidate()?.matrix;
    const [x, y] = [matrix?.e ?? 0, matrix?.f ?? 0];
    return mark.localName === "use" ? [x + mark.x.baseVal.value, y + mark.y.baseVal.value] : [x, y];
  }

  /* What is seen of a mark, and where, but not whether it is marked as changed. */
  static seen(mark) {
    const parts = mark.localName === "use" ? [mark] : mark.children;
    const looks = Array.from(parts, (part) => {
      if (part.classList.contains("rw-changed")) return "";
      return part.localName === "use" ? part.getAttribute("href") : part.outerHTML;
    });
    return [...Stage.place(mark), ...looks].join(" ");
  }
}

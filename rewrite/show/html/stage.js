"use strict";

/* A stage shows one picture of a state and replaces it with the next.

   The marks of a picture are `g[data-mark]` or `use[data-mark]`; travelling marks move visibly, and
   new ones fade in. Only the Web Animations API is used, so that a page may forbid inline styles;
   nothing is animated if the reader prefers reduced motion. */
class Stage {
  static DURATION = 250; // milliseconds

  constructor(element) {
    this.element = element;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /* Replace the content of the element with an <svg> element.

     travels: [before, after] numbers of marks that are the same but in another place; null to
     change the picture at once. duration: in milliseconds. */
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

  /* The marks inside an element, by number. */
  static marks(element) {
    const found = element.querySelectorAll("[data-mark]");
    return new Map(Array.from(found, (mark) => [Number(mark.dataset.mark), mark]));
  }

  /* The place of a mark, dragged or not: a <g> has a transform, a <use> has x and y. */
  static place(mark) {
    const matrix = mark.transform.baseVal.consolidate()?.matrix;
    const [right, down = 0] = mark.style.translate.split(" ").map((length) => parseFloat(length) || 0);
    const [x, y] = [(matrix?.e ?? 0) + right, (matrix?.f ?? 0) + down];
    return mark.localName === "use" ? [x + mark.x.baseVal.value, y + mark.y.baseVal.value] : [x, y];
  }

  /* The look and place of a mark, ignoring whether it is marked as changed. */
  static seen(mark) {
    const parts = mark.localName === "use" ? [mark] : mark.children;
    const looks = Array.from(parts, (part) => {
      if (part.classList.contains("rw-changed")) return "";
      return part.localName === "use" ? part.getAttribute("href") : part.outerHTML;
    });
    return [...Stage.place(mark), ...looks].join(" ");
  }
}

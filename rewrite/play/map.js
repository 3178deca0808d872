/* The map, which is zoomed, moved and clicked. What it shows stays where it was from move to move. */

import { picture, pointIn } from "./overlay.js";

const STEP = 1.25; // by which a button or a notch of the wheel zooms
const [LEAST, MOST] = [0.5, 40]; // how far
const FAR = 6; // pixels after which a press moves the map
const NAMED = 150; // nodes up to which each takes the focus

export class MapView {
  /* visit(node): go to the state of a node. */
  constructor(frame, visit) {
    this.frame = frame;
    this.visit = visit;
    this.zoom = 1; // 1: the whole map
    this.middle = null; // of the view, in coordinates of the picture
    this.pressed = null; // the event by which the map was pressed or moved last
    this.moved = false; // since it was pressed
    frame.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.scale(STEP ** -Math.sign(event.deltaY), event);
    });
    frame.addEventListener("pointerdown", (event) => this.press(event));
    frame.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      frame.addEventListener(name, () => { this.pressed = null; });
    }
    frame.addEventListener("click", (event) => this.moved || this.choose(event));
    frame.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && this.choose(event));
  }

  show(text) {
    const focused = this.frame.contains(document.activeElement);
    this.frame.replaceChildren(...(text ? [picture(text)] : []));
    this.svg = this.frame.querySelector("svg");
    if (!this.svg) return;
    const { width, height } = this.svg.viewBox.baseVal;
    const nodes = this.svg.querySelectorAll("[data-node]");
    for (const node of nodes.length <= NAMED ? nodes : []) {
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
    }
    const here = this.svg.querySelector(".rw-node-current");
    if (width !== this.width || height !== this.height) {
      Object.assign(this, { width, height });
      this.middle = here && this.zoom > 1 ? Stage.place(here) : [width / 2, height / 2];
    }
    this.look();
    if (focused) (here ?? this.frame).focus({ preventScroll: true });
  }

  look() {
    const [wide, high] = [this.width / this.zoom, this.height / this.zoom];
    const [x, y] = this.middle;
    this.svg.setAttribute("viewBox", `${x - wide / 2} ${y - high / 2} ${wide} ${high}`);
  }

  /* Zoom; the place that is pointed at stays, or the middle. */
  scale(by, event = null) {
    if (!this.svg) return;
    const zoom = Math.min(MOST, Math.max(LEAST, this.zoom * by));
    const still = event ? this.point(event) : this.middle;
    const kept = this.zoom / zoom;
    this.middle = this.middle.map((one, axis) => still[axis] + (one - still[axis]) * kept);
    this.zoom = zoom;
    this.look();
  }

  fit() {
    if (!this.svg) return;
    [this.zoom, this.middle] = [1, [this.width / 2, this.height / 2]];
    this.look();
  }

  point(event) {
    const { x, y } = pointIn(this.svg, event);
    return [x, y];
  }

  press(event) {
    this.pressed = event;
    this.moved = false;
  }

  drag(event) {
    const { pressed } = this;
    if (event.pointerId !== pressed?.pointerId || !this.svg) return;
    this.moved ||= Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > FAR;
    if (!this.moved) return;
    this.frame.setPointerCapture(event.pointerId);
    const [from, to] = [this.point(pressed), this.point(event)];
    this.middle = this.middle.map((one, axis) => one + from[axis] - to[axis]);
    this.pressed = event;
    this.look();
  }

  choose(event) {
    const node = event.target.closest("[data-node]");
    if (!node) return;
    event.preventDefault(); // space would scroll
    this.visit(Number(node.dataset.node));
  }
}

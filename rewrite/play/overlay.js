/* What is drawn on top of a picture: where a piece can go, will go, or should go. */

const SVG = "http://www.w3.org/2000/svg";
const HEAD = 13; // of an arrow

/* Read a picture that the server drew. */
export function picture(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (read.localName !== "svg") throw new Error("the server sent no picture");
  return document.importNode(read, true);
}

/* Convert a point of the screen to coordinates of a picture. */
export function pointIn(svg, { clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
}

function drawn(name, facts) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(facts)) element.setAttribute(key, value);
  return element;
}

export function layer() {
  return drawn("g", { class: "over" });
}

export function target({ x: cx, y: cy }, label) {
  const shown = drawn("circle", { class: "target", cx, cy, r: 11 });
  shown.appendChild(drawn("title", {})).textContent = label;
  return shown;
}

export function arrow({ x, y }, to) {
  const long = Math.hypot(to.x - x, to.y - y);
  const turn = (Math.atan2(to.y - y, to.x - x) * 180) / Math.PI;
  const neck = Math.max(0, long - HEAD);
  return drawn("path", {
    class: "arrow",
    d: `M0-3H${neck}V${-HEAD / 1.6}L${long} 0L${neck} ${HEAD / 1.6}V3H0Z`,
    transform: `translate(${x} ${y}) rotate(${turn})`,
  });
}

/* The outline of a piece that goes from its box by so much. */
export function ghost({ x, y, width, height }, by) {
  return drawn("rect", { class: "ghost", x: x + by.x, y: y + by.y, width, height, rx: 8 });
}

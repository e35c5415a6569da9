// Making elements. Text from the server only ever becomes a text node here, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element; attributes that begin with `on` are listeners. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A picture from the sprite that index.html holds. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}

export const $ = (id) => document.getElementById(id);

/** Shows or hides by the `hidden` attribute, which styles must not override. */
export function show(element, visible) {
  element.hidden = !visible;
}

/** Sets text only when it changes: screen readers announce each write into a live region. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Hands the browser a file to keep. */
export function download(name, content) {
  const url = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

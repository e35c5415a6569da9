// Making elements. Text from the server only ever becomes a text node here, never markup.

/** @import { Ids } from "./ids.js" */
/**
 * @typedef {Node | string | null | undefined} Child
 * @typedef {string | number | boolean | null | undefined | ((event: never) => unknown)} Value
 * @typedef {{ [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown }} Listeners
 * @typedef {{ [name: string]: Value } & Listeners} Attributes
 * @typedef {Element & HTMLOrSVGElement} AnyElement
 * @typedef {{ [K in keyof Ids]: K extends `i-${infer Name}` ? Name : never }[keyof Ids]} Icon
 */

const SVG = "http://www.w3.org/2000/svg";

/** @template {Element} E @param {E} element @param {Attributes} attributes @param {Child[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * An HTML element; attributes that begin with `on` are listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A picture from the page's sprite. @param {Icon} name */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}

/** An element of the page's HTML: ids.d.ts says which one it is. @type {<K extends keyof Ids>(id: K) => Ids[K]} */
export const $ = (id) => /** @type {any} */ (document.getElementById(id));

/** What cannot be missing where it is asked for. @template T @param {T} thing */
export function sure(thing) {
  if (thing === null || thing === undefined) throw new Error("missing");
  return thing;
}

/** Shows or hides by the `hidden` attribute, which styles must not override.
 *  @param {HTMLElement} element @param {boolean} visible */
export function show(element, visible) {
  element.hidden = !visible;
}

/** Opens a dialog with the focus on its first choice: without that the button that closes it would have it.
 *  @param {HTMLDialogElement} dialog */
export function openDialog(dialog) {
  dialog.showModal();
  const choices = dialog.querySelectorAll(":is(button, input, select, summary):not(.close, :disabled, [tabindex='-1'])");
  [...choices].find((choice) => choice.checkVisibility())?.focus();
  dialog.scrollTop = 0;
}

/** The focus goes there from what has led here and is gone or done with, and from nowhere else; what stands there is read
 *  out, and the Tab key goes on from it. @param {HTMLElement} heading */
export function arriveAt(heading) {
  const { activeElement: at, body } = document;
  const done = !at || at === body || at.matches("[aria-haspopup=dialog], #new") || !at.checkVisibility();
  if (done && !document.querySelector("dialog[open]")) heading.focus({ preventScroll: true });
}

/** Sets text only when it changes: screen readers announce each write into a live region.
 *  @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Hands the browser a file to keep; text is JSON. @param {string} name @param {string | Blob} content */
export function download(name, content) {
  const url = URL.createObjectURL(new Blob([content], { type: content instanceof Blob ? content.type : "application/json" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// Making elements. Text from the server only ever becomes a text node here, never markup.

/** @import { Ids } from "./ids.js" */
/**
 * @typedef {Node | string | null | undefined} Child
 * @typedef {string | number | boolean | null | undefined | ((event: never) => unknown)} Value
 * @typedef {{ [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown }} Listeners
 * @typedef {{ [name: string]: Value } & Listeners} Attributes
 * @typedef {{ [name: string]: (event: Event) => unknown }} Heard
 * @typedef {Element & HTMLOrSVGElement} AnyElement
 * @typedef {{ [K in keyof Ids]: K extends `i-${infer Name}` ? Name : never }[keyof Ids]} Icon
 */

const SVG = "http://www.w3.org/2000/svg";
/** What each element does on which events. @type {WeakMap<Element, Heard>} */
const heard = new WeakMap();

/** The pages' policy lets no text be a style; scripts may give one. @param {Element} element @param {string} name @param {string} value */
function put(element, name, value) {
  if (name === "style") /** @type {AnyElement & ElementCSSInlineStyle} */ (element).style.cssText = value;
  else element.setAttribute(name, value);
}

/** @template {Element} E @param {E} element @param {Attributes} attributes @param {Child[]} children */
function fill(element, attributes, children) {
  const does = /** @type {Heard} */ ({});
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      const type = name.slice(2);
      does[type] = /** @type {Heard[string]} */ (value);
      element.addEventListener(type, (event) => heard.get(element)?.[type]?.(event));
    } else put(element, name, value === true ? "" : String(value));
  }
  heard.set(element, does);
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

/**
 * Makes the children of a box these nodes. What says the same there stays, and takes over what the new one says and
 * does: whoever has the focus in it, or presses it, goes on, and what was opened stays so. `data-key` says what is the same
 * where neither a testid nor a class does.
 * @param {Element} box @param {Child[]} nodes
 */
export function redraw(box, ...nodes) {
  let at = box.firstChild;
  for (const given of nodes) {
    if (given === null || given === undefined) continue;
    const node = typeof given === "string" ? document.createTextNode(given) : given;
    let same = at;
    while (same && !isAlike(same, node)) same = same.nextSibling;
    if (!same) {
      box.insertBefore(node, at);
      continue;
    }
    while (at !== same) at = removed(sure(at));
    at = same.nextSibling;
    become(same, node);
  }
  while (at) at = removed(at);
}

/** @param {ChildNode} node */
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** Whether they stand for the same thing, and hear the same events. @param {Node} there @param {Node} node */
function isAlike(there, node) {
  if (there.nodeName !== node.nodeName) return false;
  if (!(there instanceof Element && node instanceof Element)) return true;
  const name = ["data-key", "data-testid"].find((name) => node.hasAttribute(name)) ?? "class";
  return there.getAttribute(name) === node.getAttribute(name) && events(there) === events(node);
}

/** @param {Element} element */
const events = (element) => Object.keys(heard.get(element) ?? {}).join(" ");

/** @param {Node} there @param {Node} node */
function become(there, node) {
  if (!(there instanceof Element && node instanceof Element)) {
    if (there.nodeValue !== node.nodeValue) there.nodeValue = node.nodeValue;
    return;
  }
  for (const { name } of [...there.attributes]) if (name !== "open" && !node.hasAttribute(name)) there.removeAttribute(name);
  for (const { name, value } of node.attributes) if (there.getAttribute(name) !== value) put(there, name, value);
  heard.set(there, heard.get(node) ?? {});
  redraw(there, ...node.childNodes);
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

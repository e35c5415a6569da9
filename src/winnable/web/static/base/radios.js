// Groups of buttons one of which is chosen, as screen readers and the arrow keys know radio buttons.

import { el, sure } from "./dom.js";
import { isPlain, keyOf } from "./keyboard.js";
/** @import { Attributes, Child } from "./dom.js" */

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** @param {boolean} chosen @param {Attributes} attributes @param {...Child} children */
export function radio(chosen, attributes, ...children) {
  return el("button", { type: "button", role: "radio", "aria-checked": String(chosen), tabindex: chosen ? 0 : -1, ...attributes }, ...children);
}

/** @param {HTMLElement} group */
const chosenOf = (group) => group.querySelector("[aria-checked=true]");

/** New buttons in place of those that the group has. Where the focus was on one of those, it is on the chosen one.
 *  @param {HTMLElement} group @param {HTMLElement[]} buttons */
export function fillRadios(group, buttons) {
  const focused = group.contains(document.activeElement);
  group.replaceChildren(...buttons);
  if (focused) chosenOf(group)?.focus();
}

/** The arrow keys choose the next button, as a click on it does. @param {HTMLElement} group */
export function listenToArrows(group) {
  group.addEventListener("keydown", (event) => {
    const step = STEPS[keyOf(event)];
    if (!step || !isPlain(event)) return;
    event.preventDefault();
    const buttons = [...group.querySelectorAll("button")];
    sure(buttons.at((buttons.findIndex((button) => button === chosenOf(group)) + step) % buttons.length)).click();
    chosenOf(group)?.focus();
  });
}

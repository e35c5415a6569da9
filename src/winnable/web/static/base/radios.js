// Groups of buttons one of which is chosen, as screen readers and the arrow keys know radio buttons.

import { el } from "./dom.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function radio(chosen, attributes, ...children) {
  return el("button", { type: "button", role: "radio", "aria-checked": String(chosen), tabindex: chosen ? 0 : -1, ...attributes }, ...children);
}

const chosenOf = (group) => group.querySelector("[aria-checked=true]");

/** New buttons in place of those that the group has. Where the focus was on one of those, it is on the chosen one. */
export function fillRadios(group, buttons) {
  const focused = group.contains(document.activeElement);
  group.replaceChildren(...buttons);
  if (focused) chosenOf(group)?.focus();
}

/** The arrow keys choose the next button, as a click on it does. */
export function listenToArrows(group) {
  group.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const buttons = [...group.children];
    buttons.at((buttons.indexOf(chosenOf(group)) + step) % buttons.length).click();
    chosenOf(group).focus();
  });
}

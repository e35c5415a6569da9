// Short messages: toasts for the eye, the live region for screen readers.

import { $, el } from "./dom.js";

const LASTS = { info: 4000, warning: 6000, error: 8000 };
const MOST_TOLD = 4;

/** @param {string} text @param {keyof typeof LASTS} kind */
export function toast(text, kind = "info") {
  const node = el("div", { class: `toast ${kind}`, "data-testid": "toast", "data-kind": kind }, text);
  const box = $("toasts");
  // The same message twice in a row would only pile up.
  if (box.lastElementChild?.textContent === text) box.lastElementChild.remove();
  box.append(node);
  rise(box);
  while (box.childElementCount > 3) box.firstElementChild?.remove();
  node.addEventListener("click", () => node.remove());
  setTimeout(() => node.remove(), LASTS[kind]);
}

/** Above the dialog that is open, which covers all else: what was shown last lies on top. @param {HTMLElement} box */
function rise(box) {
  if (!box.showPopover) return;
  box.popover = "manual";
  box.hidePopover();
  box.showPopover();
}

/** The last few stay, so that one piece of news does not silence the one before it. @param {string} text */
export function announce(text) {
  const live = $("live");
  live.append(el("p", {}, text));
  while (live.childElementCount > MOST_TOLD) live.firstElementChild?.remove();
}

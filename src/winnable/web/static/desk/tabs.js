// On narrow pages the board, the help of machines and what can be kept are tabs; on wide ones they stand side by side.

import { media } from "../base/browser.js";
import { on } from "../base/bus.js";
import { $ } from "../base/dom.js";
import { isPlain, keyOf } from "../base/keyboard.js";
import { watching } from "./watch.js";

/** @typedef {"play" | "help" | "game"} Tab */
const TABS = /** @type {Tab[]} */ (["play", "help", "game"]);
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };
const narrow = media("(max-width: 959px)");
let shown = /** @type {Tab} */ ("play");

/** Where the focus was on what is hidden now, it is on the tab. @param {Tab} name */
export function showTab(name) {
  const turns = narrow.matches && shown !== name;
  const focused = turns && $(`panel-${shown}`).contains(document.activeElement);
  if (turns) scrollTo(0, 0);
  shown = name;
  for (const one of TABS) {
    const [tab, panel] = [$(`tab-${one}`), $(`panel-${one}`)];
    tab.setAttribute("aria-selected", one === name);
    tab.setAttribute("tabindex", one === name ? 0 : -1);
    panel.classList.toggle("away", one !== name);
    if (narrow.matches) {
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
    } else for (const attribute of ["role", "aria-labelledby"]) panel.removeAttribute(attribute);
  }
  if (focused) $(`tab-${name}`).focus();
}

export function mountTabs() {
  for (const name of TABS) $(`tab-${name}`).addEventListener("click", () => showTab(name));
  $("tabs").addEventListener("keydown", (event) => {
    const step = STEPS[keyOf(event)];
    if (!step || !isPlain(event)) return;
    event.preventDefault();
    showTab(TABS[(TABS.indexOf(shown) + step + TABS.length) % TABS.length]);
    $(`tab-${shown}`).focus();
  });
  // Whoever changes the board wants to see it; while it plays by itself one may look elsewhere.
  on("state", () => watching() || showTab("play"));
  on("watch", (playing) => playing && showTab("play"));
  narrow.onChange(() => showTab(shown));
  showTab("play");
}

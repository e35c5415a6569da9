// The line under the board, where hints stand until the position changes.

import { $, el, show } from "../base/dom.js";
import { announce } from "../base/notify.js";

/** @param {string} text @param {...HTMLElement} rest */
export function say(text, ...rest) {
  $("hint-note").replaceChildren(el("span", {}, text), ...rest);
  show($("hint-note"), true);
  announce(text);
}

export function hush() {
  show($("hint-note"), false);
  $("hint-note").replaceChildren();
}

// Some levels take seconds to make: then a banner says so and lets one give up.

import { on } from "../base/bus.js";
import { fewCompilingWords } from "../base/compiling.js";
import { $, setText, show } from "../base/dom.js";
import { send } from "../desk/game.js";
import { t } from "../base/i18n.js";

const PATIENCE = 500;
const OPENING = ["new", "load", "open", "practise", "next", "cheat", "repair", "set_play"];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** A dialog covers the page: the one in which levels are begun has a place for it. @param {boolean} visible */
function showBanner(visible) {
  show($("opening"), visible);
  show($("new-opening"), visible);
}

/** @param {string} words */
function say(words) {
  for (const text of [$("opening-text"), $("new-opening-text")]) setText(text, words);
}

function done() {
  clearTimeout(timer);
  showBanner(false);
}

export function mountOpening() {
  on("sent", ({ type }) => {
    if (!OPENING.includes(type)) return;
    clearTimeout(timer);
    say(t("opening.text"));
    timer = setTimeout(() => showBanner(true), PATIENCE);
  });
  on("compiling", (now) => say(now.done < now.total ? fewCompilingWords(now) : t("opening.text")));
  on("state connection", done);
  on("error", ({ request }) => OPENING.includes(request) && done());
  for (const button of [$("opening-cancel"), $("new-cancel")]) button.addEventListener("click", () => send({ type: "cancel" }));
}

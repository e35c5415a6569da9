// Some levels take seconds to make: then a banner says so and lets one give up.

import { on } from "../base/bus.js";
import { $, setText, show } from "../base/dom.js";
import { send } from "../desk/game.js";
import { t } from "../base/i18n.js";

const PATIENCE = 500;
const OPENING = ["new", "load", "open", "practise", "next", "cheat", "repair"];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** A dialog covers the page: the one in which levels are begun has a place for it. @param {boolean} visible */
function showBanner(visible) {
  show($("opening"), visible);
  show($("new-opening"), visible);
}

function done() {
  clearTimeout(timer);
  showBanner(false);
}

export function mountOpening() {
  on("sent", ({ type }) => {
    if (!OPENING.includes(type)) return;
    clearTimeout(timer);
    setText($("opening-text"), t("opening.text"));
    timer = setTimeout(() => showBanner(true), PATIENCE);
  });
  on("state connection", done);
  on("error", ({ request }) => OPENING.includes(request) && done());
  for (const button of [$("opening-cancel"), $("new-cancel")]) button.addEventListener("click", () => send({ type: "cancel" }));
}

// Some levels take seconds to make: then a banner says so and lets one give up.

import { on } from "../base/bus.js";
import { $, setText, show } from "../base/dom.js";
import { send } from "../desk/game.js";
import { t } from "../base/i18n.js";

const PATIENCE = 500;
const OPENING = ["new", "load", "open", "next", "cheat", "repair"];
let timer = null;

function done() {
  clearTimeout(timer);
  for (const id of ["opening", "new-opening"]) show($(id), false);
}

export function mountOpening() {
  on("sent", ({ type }) => {
    if (!OPENING.includes(type)) return;
    clearTimeout(timer);
    setText($("opening-text"), t("opening.text"));
    // A dialog covers the page: the one in which levels are begun has a place for it.
    timer = setTimeout(() => ["opening", "new-opening"].forEach((id) => show($(id), true)), PATIENCE);
  });
  on("state connection", done);
  on("error", ({ request }) => OPENING.includes(request) && done());
  for (const id of ["opening-cancel", "new-cancel"]) $(id).addEventListener("click", () => send({ type: "cancel" }));
}

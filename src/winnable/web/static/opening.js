// Some levels take seconds to make: then a banner says so and lets one give up.

import { on } from "./bus.js";
import { $, show } from "./dom.js";
import { send } from "./game.js";

const PATIENCE = 500;
const OPENING = ["new", "load", "open", "next", "cheat"];
let timer = null;

function done() {
  clearTimeout(timer);
  show($("opening"), false);
}

export function mountOpening() {
  on("sent", ({ type }) => {
    if (!OPENING.includes(type)) return;
    clearTimeout(timer);
    timer = setTimeout(() => show($("opening"), true), PATIENCE);
  });
  on("state connection", done);
  on("error", ({ request }) => OPENING.includes(request) && done());
  $("opening-cancel").addEventListener("click", () => send({ type: "cancel" }));
}

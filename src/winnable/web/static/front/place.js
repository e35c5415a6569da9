// Where the page is: at the front, at what was played, at sets of levels, or at a game. The address says it, so that the
// browser's Back, a reload and a link lead where people expect: `/` is the front page, `/#played` what was played, `/#sets`
// the kept sets and `/#sets/SET` one of them, `/#SESSION` a game, `/#LEVEL` a new game on that level.

import { setAddress } from "../base/browser.js";
import { emit, on } from "../base/bus.js";
import { $, show } from "../base/dom.js";
import { game, send } from "../desk/game.js";
import { toast } from "../base/notify.js";
import { linked, shortest } from "../desk/share.js";
import { toggle, watching } from "../desk/watch.js";
/** @import { ErrorEvent, PageRequest, State } from "../base/messages.js" */

const SESSION = /^#([0-9a-f]{32})$/;
const PLAYED = "#played";
const SETS = /^#sets(\/|$)/;
const OPENING = ["new", "load", "open", "practise", "next", "repair", "set_play"];
/** Longer texts are not kept with the address: then such a level is gone once the server has forgotten the game. */
const MOST_KEPT = 8000;
/** awaited: the request that is to lead to another game. shown: the session on the board. */
const place = { awaited: /** @type {PageRequest | null} */ (null), shown: /** @type {string | null} */ (null) };

const addressed = () => SESSION.exec(location.hash)?.[1];

/** Whether the page shows no board. */
export const atFront = () => ["front", "played", "sets"].includes(document.body.dataset.view ?? "");

/** @param {string} view */
function turnTo(view) {
  if (document.body.dataset.view === view) return;
  document.body.dataset.view = view;
  show($("front"), view === "front");
  show($("played"), view === "played");
  show($("sets"), view === "sets");
  show($("table"), view === "game");
  scrollTo(0, 0);
  emit("view", view);
}

function showFront(view = "front") {
  if (place.awaited) send({ type: "cancel" });
  if (watching()) toggle(false);
  turnTo(view);
}

async function showPlayed() {
  showFront("played");
  const { showPlayed: fill } = await import("./played.js");
  fill();
}

/** @param {MouseEvent} event */
function goHome(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (location.hash) setAddress("pushState", null, location.pathname);
  showFront();
}

/** Does what the address says. */
function follow() {
  if (!game.hello) return;
  const session = addressed();
  const level = linked();
  if (location.hash === PLAYED) showPlayed().catch((error) => toast(String(error), "error"));
  else if (SETS.test(location.hash)) showFront("sets");
  else if (session) send({ type: "open", session });
  else if (level) send({ type: "new", level, game: "" });
  else showFront();
}

/** @param {State} state */
function arrive(state) {
  const { session } = state;
  const { awaited } = place;
  // Somebody else plays on with a game that was left here, or the person has gone on meanwhile.
  if (awaited ? awaited.type === "open" && awaited.session !== session : atFront()) return;
  place.awaited = null;
  const level = shortest(state);
  const kept = { level: level.length <= MOST_KEPT ? level : null };
  if (addressed() !== session) {
    // A link, or the address of a game that is gone, has become this game; else it is a step further.
    const further = ["", PLAYED].includes(location.hash) || SETS.test(location.hash) || addressed() === place.shown;
    setAddress(further ? "pushState" : "replaceState", kept, `#${session}`);
  } else if (history.state?.level !== kept.level) setAddress("replaceState", kept, location.href);
  place.shown = session;
  turnTo("game");
}

/** @param {ErrorEvent} event */
function onRefusal({ request, code }) {
  if (!OPENING.includes(request) || code === "cancelled") return;
  const { awaited } = place;
  place.awaited = null;
  if (awaited?.type === "open" && awaited.session === addressed() && history.state?.level) {
    // The server forgets games that nobody has touched: the level is still there.
    send({ type: "new", level: history.state.level, game: "" });
  } else if (!SETS.test(location.hash) && (addressed() !== place.shown || !place.shown)) {
    const back = place.shown && !atFront();
    setAddress("replaceState", null, back ? `#${place.shown}` : location.pathname);
    if (!back) showFront();
  }
}

/** Whether a refusal is about a game that begins anew all the same. @param {ErrorEvent} event */
export const beginsAnew = ({ request }) => request === "open" && place.awaited?.type === "new";

export function mountPlace() {
  on("hello", follow);
  on("state", arrive);
  on("error", onRefusal);
  on("sent", (request) => {
    if (OPENING.includes(request.type)) place.awaited = request;
    else if (request.type === "cancel") place.awaited = null;
  });
  addEventListener("popstate", follow);
  for (const link of [$("home"), $("played-home")]) link.addEventListener("click", goHome);
}

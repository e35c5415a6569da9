// The game on the board, as the page knows it, and the requests that change it.

import { emit, on } from "../base/bus.js";
import { History } from "./history.js";
import { toast } from "../base/notify.js";
import { t } from "../base/i18n.js";
import { settings } from "../base/settings.js";
/** @import { Connection } from "../base/connection.js" */
/** @import { Hello, Lamp, PageRequest, ServerEvent, State } from "../base/messages.js" */
/** @import { Board } from "../boards/board.js" */

export const game = {
  connection: /** @type {Connection<PageRequest, ServerEvent> | null} */ (null),
  hello: /** @type {Hello | null} */ (null),
  /** The last `state` event; null before the first. */
  state: /** @type {State | null} */ (null),
  /** The last `lamp` event about what is on the board; null while none came. */
  lamp: /** @type {Lamp | null} */ (null),
  history: new History(),
  board: /** @type {Board<unknown, unknown> | null} */ (null),
  /** While the last action still plays itself out on the board: then nothing new is begun. */
  flying: false,
  /** How many actions the best line from the start has, once that is proved. */
  par: /** @type {number | null} */ (null),
};

/** Sends; says so when there is no connection. @param {PageRequest} request */
export function send(request) {
  if (game.connection?.send(request)) {
    emit("sent", request);
    return true;
  }
  toast(t("connection.none"), "warning");
  return false;
}

/** An action of the person; false when it could not be sent. @param {number} action */
export function act(action) {
  if (game.flying) return false;
  emit("joined");
  heading = null;
  return send({ type: "act", action });
}

/** An action in place of the one after a ply: two turns that were meant as one become one, and no branch.
 *  @param {number} ply @param {number} action */
export function actFrom(ply, action) {
  if (game.flying) return false;
  emit("act");
  heading = null;
  return send({ type: "goto", ply, forget: true }) && send({ type: "act", action });
}

/** The ply that the board is on its way to; null: to none. @type {number | null} */
let heading = null;

/** @param {number} ply */
export function goTo(ply) {
  if (!game.state) return;
  emit("act");
  const to = Math.max(0, Math.min(game.state.length, ply));
  heading = send({ type: "goto", ply: to }) ? to : null;
}

/** So many plies on from where the board is, or will be: two steps back are two, also before the first has come.
 *  @param {number} step */
export function goBy(step) {
  if (game.state) goTo((heading ?? game.state.ply) + step);
}

/** Motion has come to its end; a newer state has ended that of an older one already. @param {State} state */
export function landed(state) {
  if (game.state !== state || !game.flying) return;
  game.flying = false;
  document.body.dataset.flying = "false";
  emit("landed");
}

/** Whether the way to this state is shown, step by step. @param {State} state */
function takesOff({ session, ply, frames }) {
  const next = game.board && session === game.state?.session && ply === game.state.ply + 1;
  return Boolean(next && frames && settings.motion && !document.hidden);
}

/** @param {string} [name] */
export function gameInfo(name = game.state?.game) {
  return game.hello?.games.find((info) => info.name === name) ?? game.hello?.games[0];
}

export function over() {
  return game.state !== null && game.state.standing !== "playing";
}

/** Whether the game has no goal: it goes on until it is over, and no solver can tell how. */
export function endless() {
  return gameInfo()?.solvers.length === 0;
}

/** Whether one way to win may be shorter than another; else it is no news that a line is the shortest. */
export function lengthVaries() {
  return game.state !== null && game.board !== null && game.board.remaining(game.state.view) === null;
}

/** What the lamp shows: the server's word, else what the history implies. */
export function verdictNow() {
  const { state, lamp, history } = game;
  if (!state) return "unknown";
  return lamp && lamp.verdict !== "unknown" ? lamp.verdict : history.verdict(state.ply);
}

on("hello", (hello) => (game.hello = hello));

on("state", (state) => {
  // A board belongs to one session, and the next may be of another game.
  if (state.session !== game.state?.session) {
    game.board?.destroy();
    game.board = null;
    game.par = null;
  }
  if (state.session !== game.state?.session || state.ply === heading) heading = null;
  game.flying = takesOff(state);
  document.body.dataset.flying = String(game.flying);
  game.state = state;
  game.lamp = null;
  game.history.onState(state);
});

on("error connection", () => (heading = null));

on("helped", ({ session }) => {
  if (game.state?.session === session) game.state.helped = true;
});

on("lamp", (lamp) => {
  if (lamp.session !== game.state?.session) return;
  game.history.known = lamp.known;
  if (lamp.par !== game.par) {
    game.par = lamp.par;
    emit("par");
  }
  if (lamp.ply === game.state.ply) game.lamp = lamp;
  emit("verdicts");
});

on("timeline", (timeline) => {
  // A report that answers after the game went on or another way is not about the line on the board.
  if (timeline.session !== game.state?.session || timeline.line !== game.state.line || timeline.length !== game.state.length) return;
  game.history.onTimeline(timeline);
  emit("verdicts");
});

on("review", (review) => {
  if (review.session !== game.state?.session || review.line !== game.state.line) return;
  game.history.review = review;
  emit("verdicts");
});

on("costs", (costs) => {
  if (costs.session !== game.state?.session || costs.line !== game.state.line) return;
  game.history.onCosts(costs);
  emit("verdicts");
});

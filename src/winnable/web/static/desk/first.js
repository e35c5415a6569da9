// The first level of a game, the first time: one sentence says what to do, one move shows itself, and counts wait. All that
// until the person has made a move in the game; this browser remembers it.

import { on } from "../base/bus.js";
import { $, setText, show, sure } from "../base/dom.js";
import { has, localized, t } from "../base/i18n.js";
import { settings } from "../base/settings.js";
import { recallObject, remember } from "../base/storage.js";
import { game, gameInfo, send } from "./game.js";
/** @import { Demo, State } from "../base/messages.js" */

const KEY = "begun";
/** Milliseconds that the move is seen. */
const SEEN = 1600;
/** The move that shows itself just now. @type {{ ply: number, timer: ReturnType<typeof setTimeout> } | null} */
let shown = null;
/** @type {string | null} */
let asked = null;

/** Whether the person begins here, and with this game. */
export function firstUse() {
  const { state } = game;
  if (!state || state.length || state.card !== null || recallObject(KEY)[state.game]) return false;
  const info = gameInfo(state.game);
  return info?.name === state.game && info.levels[0]?.name === state.level_id;
}

/** @param {State} state */
function onState({ ply, game: name }) {
  end();
  const known = recallObject(KEY);
  if (ply > 0 && !known[name]) remember(KEY, JSON.stringify({ ...known, [name]: 1 }));
  draw();
}

function draw() {
  const first = firstUse();
  show($("first-use"), first);
  if (!first) return;
  const info = gameInfo();
  const key = `first.${info?.name}`;
  setText($("first-use-text"), has(key) ? t(key) : localized(info?.about));
}

function ask() {
  const { state } = game;
  if (!state || state.session === asked || !settings.motion || !firstUse()) return;
  asked = state.session;
  send({ type: "demo" });
}

/** @param {Demo} demo */
function onDemo({ session, action, view, legal, frames }) {
  const { board, state } = game;
  if (!board || session !== state?.session || !firstUse() || !settings.motion || document.hidden) return;
  end();
  shown = { ply: state.ply, timer: setTimeout(end, SEEN) };
  const landed = () => {
    if (!shown) return;
    clearTimeout(shown.timer);
    shown.timer = setTimeout(end, SEEN);
  };
  $("stage").dataset.demo = "true";
  board.render(view, legal, { animate: true, action, frames: /** @type {unknown[] | null} */ (frames), ply: 1, par: game.par, onLanded: landed });
}

/** The board as it is again: at once when the person acts. */
function end() {
  if (!shown) return;
  clearTimeout(shown.timer);
  shown = null;
  delete $("stage").dataset.demo;
  const { view, legal, ply } = sure(game.state);
  game.board?.render(view, legal, { ply, par: game.par });
}

export function mountFirst() {
  on("state", onState);
  on("hello language", draw);
  on("board", ask);
  on("demo", onDemo);
  for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, end, { capture: true });
}

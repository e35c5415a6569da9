// The buttons under the board, and the hint.

import { emit, on } from "../base/bus.js";
import { $, el, icon, setText, show } from "../base/dom.js";
import { act, game, goTo, over, send } from "./game.js";
import { has, number, ownKey, t } from "../base/i18n.js";
import { announce, toast } from "../base/notify.js";
import { chosenMethod } from "./watch.js";
/** @import { HintEvent } from "../base/messages.js" */

/** early: the answer, while the board is still being loaded. */
const hintWait = { active: false, early: /** @type {HintEvent | null} */ (null) };

export function undo() {
  if (game.state && game.state.ply > 0) goTo(game.state.ply - 1);
}

export function redo() {
  if (game.state && game.state.ply < game.state.length) goTo(game.state.ply + 1);
}

export function restart() {
  if (game.state && game.state.ply > 0) goTo(0);
}

export function hint() {
  if (!game.state || over() || hintWait.active || game.flying) return;
  const by = $("hint-by").checked ? chosenMethod() : null;
  waitForHint(send({ type: "hint", ...by }));
}

/** @param {boolean} active */
function waitForHint(active) {
  hintWait.active = active;
  $("hint").classList.toggle("busy", active);
  $("hint").setAttribute("aria-busy", active);
}

/** @param {HintEvent} answer */
function onHint(answer) {
  const { session, ply, action, name, verdict } = answer;
  waitForHint(false);
  hintWait.early = game.board ? null : answer;
  if (!game.board || session !== game.state?.session || ply !== game.state.ply) return;
  if (action === null) {
    toast(t(verdict === "lost" ? "hint.lost" : "hint.none"), "warning");
    return;
  }
  game.board.highlight(action);
  const extra = $("extras").querySelector(`[data-action="${Number(action)}"]`);
  extra?.classList.add("hinted");
  announce(t("hint.this", { name: game.board.describe(name) }));
}

function drawExtras() {
  const { board, state } = game;
  const extras = (state && board?.extras(state.view, state.legal)) ?? [];
  show($("extras"), extras.length > 0);
  $("extras").replaceChildren(
    ...extras.map(({ id, label, icon: picture, uses, action }) =>
      el("button",
        { type: "button", "data-testid": `tool-${id}`, "data-action": action, disabled: action === null, onclick: () => action !== null && act(action) },
        icon(picture), el("span", {}, label), el("b", { class: "uses" }, number(uses)))),
  );
}

function draw() {
  const { state } = game;
  if (!state) return;
  $("undo").disabled = state.ply === 0;
  $("redo").disabled = state.ply >= state.length;
  $("restart").disabled = state.ply === 0;
  $("hint").disabled = over() || game.flying;
  show($("cheat"), state.cheats);
  $("cheat").disabled = game.flying || state.standing === "won";
  const { game: name } = state;
  setText($("cheat-label"), t(ownKey("cheat", name)));
  $("cheat").title = t(has(`cheat.${name}.about`) ? `cheat.${name}.about` : "cheat");
  drawExtras();
}

export function mountToolbar() {
  on("state board language landed", draw);
  on("state error connection", () => waitForHint(false));
  on("hint", onHint);
  on("board", () => hintWait.early && onHint(hintWait.early));
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("restart").addEventListener("click", restart);
  $("hint").addEventListener("click", hint);
  $("cheat").addEventListener("click", () => {
    emit("act");
    send({ type: "cheat" });
  });
}

// The buttons under the board.

import { emit, on } from "../base/bus.js";
import { $, el, icon, redraw, setText, show } from "../base/dom.js";
import { act, game, goBy, goTo, send } from "./game.js";
import { has, number, ownKey, t } from "../base/i18n.js";

export function undo() {
  if (game.state && game.state.ply > 0) goBy(-1);
}

export function redo() {
  if (game.state && game.state.ply < game.state.length) goBy(1);
}

export function restart() {
  if (game.state && game.state.ply > 0) goTo(0);
}

function drawExtras() {
  const { board, state } = game;
  const extras = (state && board?.extras(state.view, state.legal)) ?? [];
  show($("extras"), extras.length > 0);
  redraw($("extras"),
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
  show($("cheat"), state.cheats);
  $("cheat").disabled = game.flying || state.standing === "won";
  const { game: name } = state;
  setText($("cheat-label"), t(ownKey("cheat", name)));
  $("cheat").title = t(has(`cheat.${name}.about`) ? `cheat.${name}.about` : "cheat");
  drawExtras();
}

export function mountToolbar() {
  on("state board language landed", draw);
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("restart").addEventListener("click", restart);
  $("cheat").addEventListener("click", () => {
    emit("act");
    send({ type: "cheat" });
  });
}

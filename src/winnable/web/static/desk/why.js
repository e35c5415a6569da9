// Why the position takes so many actions at the least: asked of the server, drawn by the game's own module.

import { on } from "../base/bus.js";
import { game, gameInfo, over, send } from "./game.js";

const why = { open: false };

/** For the board's button; undefined in a game that explains nothing. @param {string} name */
export function explainer(name) {
  return gameInfo(name)?.explains ? toggle : undefined;
}

function toggle() {
  why.open = !why.open;
  if (why.open) ask();
  else game.board?.explain?.(null);
}

function ask() {
  if (!why.open || !game.board?.explain || game.flying) return;
  if (over()) game.board.explain(null);
  else send({ type: "explain" });
}

export function mountWhy() {
  // What is drawn is about the state before: it goes as soon as the board changes, and comes back when it rests.
  on("board landed", ask);
  on("state", (state) => {
    if (!why.open || state.session !== game.state?.session) return;
    if (game.flying || over()) game.board?.explain?.(null);
    else ask();
  });
  on("lamp", ({ session, ply }) => session === game.state?.session && ply === game.state.ply && ask());
  on("explained", (event) => {
    if (!why.open || game.flying || over() || event.session !== game.state?.session || event.ply !== game.state.ply) return;
    game.board?.explain?.(event);
  });
}

// What a fresh machine compiles before its solvers run at full speed: how far that is, wherever one waits for it.

import { on } from "./bus.js";
import { el, setText, show } from "./dom.js";
import { endless, game } from "./game.js";
import { number, t } from "./i18n.js";

/** By game: the last `compiling` event, as long as parts are missing. */
const going = new Map();

/** How far it is for the game on the board: {done, total}; null while nothing is compiled for it. */
export function compiling() {
  return going.get(game.state?.game) ?? null;
}

/** A thin bar with words, fewer of them where there is no room; the box is hidden while nothing is compiled. */
export function drawCompiling(box) {
  const now = compiling();
  show(box, now !== null);
  if (!now) return;
  if (!box.firstChild) box.append(el("small", { class: "wide" }), el("small", { class: "narrow" }), el("progress", { "aria-hidden": "true" }));
  const [words, few, bar] = box.children;
  const figures = { done: number(now.done), total: number(now.total) };
  setText(words, t(endless() ? "compiling.outlook" : "compiling.solver", figures));
  setText(few, t("compiling.few", figures));
  Object.assign(bar, { max: now.total, value: now.done });
}

on("compiling", (event) => {
  if (event.done < event.total) going.set(event.game, event);
  else going.delete(event.game);
});
// What a server that is gone was at, nobody knows.
on("connection", (connected) => connected || going.clear());

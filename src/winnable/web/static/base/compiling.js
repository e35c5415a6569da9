// What a fresh machine compiles before things run at full speed: how far that is, wherever one waits for it.

import { on } from "./bus.js";
import { el, setText, show } from "./dom.js";
import { number, t } from "./i18n.js";
/** @import { Compiling, State } from "./messages.js" */

/** The last `compiling` event of each part that something waits for; what began first comes first. */
const going = /** @type {Map<string, Compiling>} */ (new Map());
/** The last `state`. @type {State | null} */
let board = null;

/** How far it is for a game, that on the board if none is named: {done, total}; null while nothing waits.
 *  @param {string} [name] */
export function compiling(name = board?.game) {
  return [...going.values()].find(({ game }) => game === name) ?? null;
}

/** @param {Compiling} compiling */
const figures = ({ done, total }) => ({ done: number(done), total: number(total) });

/** Where a few words have to do. @param {Compiling} now */
export const fewCompilingWords = (now) => t("compiling.few", figures(now));

/** A box for what has just begun to wait. */
export function compilingBox() {
  const box = el("div", { class: "compiling" });
  drawCompiling(box);
  return box;
}

/** A thin bar with words, fewer of them where there is no room; the box is hidden while nothing is compiled.
 *  @param {HTMLElement} box @param {string} [name] */
export function drawCompiling(box, name, waits = true) {
  const now = waits ? compiling(name) : null;
  show(box, now !== null);
  if (!now) return;
  if (!box.firstChild) box.append(el("small", { class: "wide" }), el("small", { class: "narrow" }), el("progress", { "aria-hidden": "true" }));
  const [words, few, bar] = box.children;
  setText(words, t("compiling", figures(now)));
  setText(few, fewCompilingWords(now));
  Object.assign(bar, { max: now.total, value: now.done });
}

on("compiling", (event) => {
  const key = `${event.game}/${event.part}`;
  if (event.done < event.total) going.set(key, event);
  else going.delete(key);
});
// What was told of another board, or by a server that is gone, nobody ends.
on("connection", (connected) => connected || going.clear());
on("hello", () => going.clear());
on("state", (state) => {
  if (state.session !== board?.session) going.clear();
  board = state;
});

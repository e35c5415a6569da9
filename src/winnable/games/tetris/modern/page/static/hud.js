// The figures beside the board, and what was just cleared.

import { $, el, setText, sure } from "/static/base/dom.js";
import { number, t } from "/static/base/i18n.js";
import { announce } from "/static/base/notify.js";
import { on } from "./bus.js";
import { exact } from "./flow.js";
import { botPlays, cabinet } from "./state.js";
/** @import { Events } from "./views.js" */

/** What a busy server owes is forgiven, so the time must not run far ahead of the last frame. */
const MOST_AHEAD = 12;
const LASTS = 1500;
let running = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function figures() {
  const { seen } = cabinet;
  if (!seen) return;
  setText($("score"), number(seen.score));
  setText($("lines"), seen.goal === null ? number(seen.lines) : `${number(seen.lines)} / ${number(seen.goal)}`);
  setText($("level"), number(seen.level));
  time();
}

function time() {
  const { frame, came, phase } = cabinet;
  const ahead = phase === "playing" && !botPlays() ? Math.min(MOST_AHEAD, ((performance.now() - came) * 60) / 1000) : 0;
  const seconds = (frame + ahead) / 60;
  setText($("time"), exact(frame + ahead).slice(0, -1));
  // In the first second it would only jump about.
  setText($("pps"), seconds < 1 ? "–" : (sure(cabinet.seen).placed / seconds).toFixed(2));
}

function tick() {
  running = cabinet.phase === "playing";
  if (!running) return;
  time();
  setTimeout(tick, 100);
}

/** `t-spin mini double` -> the language's words. @param {string} clear */
export const clearName = (clear) => t(`arcade.clear.${clear.replaceAll(" ", "-")}`);

/** @param {Events} event */
function callout(event) {
  const lines = [];
  if (event.clear && event.clear !== "single") lines.push(clearName(event.clear));
  if (event.chained) lines.push(t("arcade.chained"));
  if (event.combo && event.combo > 0) lines.push(t("arcade.combo", { n: event.combo }));
  if (event.perfect) lines.push(t("arcade.perfect"));
  if (event.level_up) lines.push(t("arcade.level.up", { n: number(sure(cabinet.seen).level) }));
  if (event.emptied) lines.push(t("arcade.emptied"));
  // The bot would never let a screen reader come to its end.
  if (event.clear && !botPlays()) announce([clearName(event.clear), ...lines.slice(event.clear === "single" ? 0 : 1)].join(t("list.comma")));
  if (!lines.length) return;
  const box = $("callout");
  const [first, ...rest] = lines;
  box.classList.remove("on");
  box.replaceChildren(first, ...rest.map((line) => el("small", {}, line)));
  void box.offsetWidth; // the animation begins anew
  box.classList.add("on");
  clearTimeout(timer);
  timer = setTimeout(() => box.classList.remove("on"), LASTS);
}

export function mountHud() {
  on("arcade-table arcade-seen language", figures);
  on("arcade-table", () => $("callout").classList.remove("on"));
  on("arcade-event", callout);
  on("arcade-phase", () => {
    if (cabinet.seen) time();
    if (!running) tick();
  });
}

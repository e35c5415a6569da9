// The shipped levels of the game on the board: which one of its series this is, the ones beside it, and all to choose
// from.

import { on } from "../base/bus.js";
import { $, el, icon, setText, show } from "../base/dom.js";
import { game, gameInfo, send } from "./game.js";
import { localized, number, t } from "../base/i18n.js";
import { walkByArrows } from "../base/walk.js";
import { ratingNode } from "./rating.js";
import { bestStars } from "./stars.js";
/** @import { LevelInfo } from "../base/messages.js" */

/** Its place among the shipped levels, also after a cheat; -1 when it is none of them.
 *  @param {LevelInfo[]} levels @param {string} id */
export function levelIndex(levels, id) {
  const plain = id.replace(/\+$/, "");
  return levels.findIndex(({ name }) => name === plain);
}

/** The level after it in its series; undefined when there is none. @param {LevelInfo[]} levels @param {string} id */
export function levelAfter(levels, id) {
  const at = levelIndex(levels, id);
  return at >= 0 && levels[at + 1]?.series === levels[at].series ? levels[at + 1] : undefined;
}

/** @param {string} name */
export function startLevel(name) {
  return send({ type: "new", level: name, game: "" });
}

/** A button for each; `choose` is called with its name. Several series have a heading each; folded, only the one of
 *  the board, else the first, is open.
 *  @param {LevelInfo[]} levels @param {(name: string) => unknown} choose */
export function levelCards(levels, choose, folded = false) {
  const names = [...new Set(levels.map(({ series }) => series))];
  if (names.length < 2) return cards(levels, choose);
  const here = levels[levelIndex(levels, game.state?.level_id ?? "")] ?? levels[0];
  return names.map((series) => {
    const buttons = cards(levels.filter((level) => level.series === series), choose);
    const title = el("summary", { "data-testid": "series", "data-series": series }, seriesTitle(here.name, series));
    return el("details", { class: "series", open: !folded || series === here.series }, title, el("div", { class: "levels" }, ...buttons));
  });
}

/** @param {string} name @param {string} series */
function seriesTitle(name, series) {
  return t(`series.${name.split("/")[0]}${series && `.${series}`}`);
}

/** @param {LevelInfo[]} levels @param {(name: string) => unknown} choose */
function cards(levels, choose) {
  const current = game.state ? levelIndex(levels, game.state.level_id) : -1;
  return levels.map(({ name, title, rating }, index) => {
    const stars = bestStars(name);
    const earned = stars === undefined ? null
      : el("span", { class: "level-stars", "data-stars": stars, role: "img", "aria-label": t("stars.label", { n: stars }) }, ...(stars ? Array.from({ length: stars }, () => icon("star")) : [icon("check")]));
    const label = localized(title) || name;
    return el("button", { class: "level-card", type: "button", "data-testid": "shipped-level", "data-level": name, "aria-current": index === current ? "true" : null, onclick: () => choose(name) },
      el("b", {}, number(index + 1)), el("span", {}, label), ratingNode(rating), earned);
  });
}

/** all: of the game. levels: of the series of the one on the board. */
function around() {
  const all = gameInfo()?.levels ?? [];
  const here = game.state ? all[levelIndex(all, game.state.level_id)] : undefined;
  const levels = all.filter(({ series }) => series === here?.series);
  return { all, levels, at: here ? levels.indexOf(here) : -1 };
}

/** @param {number} step */
function go(step) {
  const { levels, at } = around();
  const next = levels[at + step];
  if (next && !game.flying) startLevel(next.name);
}

/** @param {string} name */
function choose(name) {
  if (startLevel(name)) $("levels-dialog").close();
}

function draw() {
  const { all, levels, at } = around();
  const one = levels.length > 1 && at >= 0;
  show($("levels-open"), all.length > 1);
  show($("level-before"), one);
  show($("level-after"), one);
  setText($("levels-place"), one ? t("levels.place", { n: number(at + 1), all: number(levels.length) }) : t("levels.button"));
  // A narrow screen shows the bare numbers.
  $("levels-open").dataset.short = one ? `${number(at + 1)} / ${number(levels.length)}` : "";
  $("levels-open").disabled = game.flying;
  $("level-before").disabled = game.flying || at <= 0;
  $("level-after").disabled = game.flying || at < 0 || at >= levels.length - 1;
  show($("levels-note"), Boolean(game.board?.stars));
  if ($("levels-dialog").open) $("levels-list").replaceChildren(...levelCards(all, choose));
}

export function mountLevels() {
  on("hello state board language landed", draw);
  walkByArrows($("levels-list"));
  $("level-before").addEventListener("click", () => go(-1));
  $("level-after").addEventListener("click", () => go(1));
  $("levels-open").addEventListener("click", () => {
    $("levels-dialog").showModal();
    draw();
    ($("levels-list").querySelector("[aria-current]") ?? $("levels-list").querySelector("button"))?.focus();
  });
}

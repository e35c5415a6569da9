// What was played: of each game how many, how well, in which streaks, and the bests. Loaded when it is asked for.

import "./data.js";
import { on } from "../base/bus.js";
import { $, el, icon, show, svg } from "../base/dom.js";
import { clock, countMoves, currentLanguage, localized, number, t } from "../base/i18n.js";
import { gameInfo, send } from "../desk/game.js";
import { startLevel } from "../desk/levels.js";
import { levelWords } from "../desk/names.js";
/** @import { BestEnd, Played } from "../base/messages.js" */

const SIZE = { width: 240, height: 48, edge: 4 };
/** @type {Played[] | null} */
let games = null;

/** @param {number} share */
const percent = (share) => new Intl.NumberFormat(currentLanguage(), { style: "percent" }).format(share);

/** @param {Played} played */
function courseText({ scored, course }) {
  const now = course[course.length - 1];
  return scored ? t("played.course.score", { now: number(Math.round(now)) }) : t("played.course.won", { now: percent(now) });
}

/** The course as a line: shares from 0 to 1, scores from the least to the most. @param {Played} played */
function sparkline(played) {
  const { course, scored } = played;
  const { width, height, edge } = SIZE;
  const [from, to] = scored ? [Math.min(...course), Math.max(...course)] : [0, 1];
  /** @param {number} i */
  const x = (i) => (course.length < 2 ? width - edge : edge + (width - 2 * edge) * i / (course.length - 1));
  /** @param {number} value */
  const y = (value) => height - edge - (height - 2 * edge) * (to > from ? (value - from) / (to - from) : 0.5);
  const line = course.map((value, i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  const last = course.length - 1;
  return svg("svg", { class: "sparkline", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMinYMid", role: "img", "aria-label": courseText(played), "data-testid": "sparkline", "data-points": course.length },
    svg("path", { class: "ground", d: `M0 ${height - 0.5}H${width}` }), svg("path", { d: `M${line}` }), svg("circle", { cx: x(last), cy: y(course[last]), r: 3.5 }));
}

/** @param {string} name @param {string} key @param {number | null} value */
const figure = (name, key, value) => (value === null ? null : el("div", {}, el("dd", { "data-testid": `played-${name}-${key}` }, number(value)), el("dt", {}, t(`played.${key}`))));

/** @param {string} game @param {BestEnd} best */
function bestRow(game, { level_id: id, actions, par, score, seconds }) {
  const reached = score === null ? countMoves(actions, game) : t("played.points", { n: number(score) });
  const facts = [reached, par === null || score !== null ? null : t("played.par", { par: number(par) }), seconds === null ? null : clock(seconds)];
  return el("li", {}, el("button", { class: "session", type: "button", "data-testid": "played-best", "data-level": id, onclick: () => startLevel(id) },
    el("span", { class: "session-name" }, levelWords({ level_id: id, day: null }).level), el("small", {}, facts.filter(Boolean).join(" · "))));
}

/** @param {Played} played */
function card(played) {
  const { game, ended, won, first, helped, streak, longest, days, course, best } = played;
  const info = gameInfo(game);
  const streaks = days ? [figure(game, "streak", streak), figure(game, "longest", longest), figure(game, "days", days)] : [];
  return el("li", { class: "front-card played-card", "data-testid": `played-${game}` },
    el("div", { class: "played-head" }, el("img", { src: `pictures/${game}.svg`, alt: "" }), el("h2", {}, info?.name === game ? localized(info.title) : game)),
    el("dl", { class: "played-figures" }, figure(game, "ended", ended), figure(game, "won", won), figure(game, "first", first), helped ? figure(game, "helped", helped) : null, ...streaks),
    course.length ? el("figure", { class: "played-course" }, course.length > 1 ? sparkline(played) : null, el("figcaption", { class: "note" }, courseText(played))) : null,
    best.length ? el("details", {}, el("summary", {}, icon("star"), el("span", {}, t("played.best", { n: number(best.length) }))), el("ul", { class: "sessions" }, ...best.map((one) => bestRow(game, one)))) : null);
}

function draw() {
  if (document.body.dataset.view !== "played") return;
  document.title = `${t("played.title")} · winnable`;
  if (!games) return;
  show($("played-empty"), games.length === 0);
  $("played-games").replaceChildren(...games.map(card));
}

export function showPlayed() {
  draw();
  send({ type: "played" });
}

on("played", (event) => {
  games = event.games;
  draw();
});
on("language view", draw);

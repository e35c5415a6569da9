// The days of the daily levels: what the server knows of them, today's in a line, and the earlier ones as a calendar.

import { emit, on } from "../base/bus.js";
import { $, el, icon, redraw, setText, show, sure } from "../base/dom.js";
import { countMoves, currentLanguage, localized, number, t, tn } from "../base/i18n.js";
import { walkByArrows } from "../base/walk.js";
import { gameInfo, send } from "../desk/game.js";
import { ownSessions } from "../desk/keep.js";
import { dateWords } from "../desk/names.js";
import { startLevel } from "../desk/levels.js";
import { atFront } from "./place.js";
/** @import { Icon } from "../base/dom.js" */
/** @import { DayPlayed, DaysEvent } from "../base/messages.js" */
/** @typedef {"none" | "begun" | "won" | "lost" | "over"} How */

/** @type {Record<How, Icon | null>} */
const MARKS = { none: null, begun: "step", won: "check", lost: "minus", over: "minus" };
const WEEK = 7;
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;
/** @type {DaysEvent | null} */
let known = null;
/** Which game's calendar is open, and at which month: its first day. */
const shown = { game: "", month: "" };
/** Whose calendar is to open as soon as the days are known. */
let awaited = "";

/** @param {string} game */
export const daysOf = (game) => known?.games.find((one) => one.game === game);

/** As the server writes days. @param {number} time */
const isoDay = (time) => new Date(time).toISOString().slice(0, 10);

/** @param {string} day @param {number} months */
function otherMonth(day, months) {
  const [year, month] = day.split("-").map(Number);
  return isoDay(Date.UTC(year, month - 1 + months, 1));
}

/** How a day's level went, and the game that may be gone on with: the one under way, else the one that ended best.
 *  @param {string} game @param {string} day @returns {{ how: How, played: DayPlayed | null, session: string | null }} */
function dayOf(game, day) {
  const own = ownSessions();
  const begun = own.find((one) => one.day === day && one.level_id.startsWith(`${game}:`) && one.standing === "playing" && one.ply > 0);
  const played = daysOf(game)?.days.find((one) => one.day === day) ?? null;
  const ended = played && own.find((one) => one.session === played.session);
  return { how: played?.outcome ?? (begun ? "begun" : "none"), played, session: (begun ?? ended)?.session ?? null };
}

/** How a day's level went. today: it is told as today's.
 *  @param {string} game @param {How} how @param {DayPlayed | null} played */
function words(game, how, played, today = false) {
  const scored = { won: "made", lost: "missed", over: "over" };
  const key = played && played.score !== null ? scored[played.outcome] : how;
  const values = { moves: countMoves(played?.actions ?? 0, game), n: number(played?.score ?? 0) };
  const told = today ? t(`front.day.${key}`, values) : t(`days.${key}`, values);
  return played?.helped ? `${told} · ${t("front.day.helped")}` : told;
}

/** @param {string} game @param {string} day */
function open(game, day) {
  const { session } = dayOf(game, day);
  if (session) send({ type: "open", session });
  else startLevel(`${game}:daily#${day.replaceAll("-", "")}`);
}

/** Today's level and how it went; the days before. @param {string} game */
export function todayRow(game) {
  const { how, played } = known ? dayOf(game, known.today) : { how: /** @type {How} */ ("none"), played: null };
  const streak = daysOf(game)?.streak ?? 0;
  const mark = MARKS[how];
  return el("div", { class: "front-days" },
    el("button", { class: "front-daily", type: "button", "data-testid": `front-${game}-daily`, "data-how": how, onclick: () => (known ? open(game, known.today) : startLevel(`${game}:daily`)) },
      icon(mark ?? "calendar"), el("span", {}, how === "none" ? t("front.daily") : words(game, how, played, true)),
      streak ? el("small", { class: "front-streak", "data-testid": `front-${game}-streak` }, tn("front.streak", streak)) : null),
    el("button", { class: "front-earlier", type: "button", "aria-haspopup": "dialog", title: t("front.days"), "aria-label": t("front.days"), "data-testid": `front-${game}-days`, onclick: () => openDays(game) }, icon("calendar")));
}

/** @param {string} game */
function openDays(game) {
  awaited = known ? "" : game;
  if (!known) return;
  Object.assign(shown, { game, month: otherMonth(known.today, 0) });
  $("days-dialog").showModal();
  draw();
  const days = $("days-grid").querySelectorAll("button");
  days[days.length - 1]?.focus();
}

/** @param {string} day */
function dayButton(day) {
  const { game } = shown;
  const { how, played } = dayOf(game, day);
  const mark = MARKS[how];
  const said = `${dateWords(day)}: ${words(game, how, played)}`;
  return el("button", { class: "day", type: "button", "data-testid": "day", "data-key": day, "data-day": day, "data-how": how, "aria-current": day === known?.today ? "date" : null, "aria-label": said, title: said, onclick: () => { $("days-dialog").close(); open(game, day); } },
    el("span", {}, number(Number(day.slice(-2)))), mark && icon(mark));
}

function draw() {
  if (!known || !$("days-dialog").open) return;
  const { game, month } = shown;
  const { today, first } = known;
  const next = otherMonth(month, 1);
  setText($("days-heading"), t("days.heading", { game: localized(gameInfo(game)?.title) }));
  setText($("days-month"), dateWords(month, { year: "numeric", month: "long" }));
  $("days-before").disabled = month <= first;
  $("days-after").disabled = next > today;
  const start = Date.parse(month);
  const weekday = (new Date(start).getUTCDay() + WEEK - 1) % WEEK;
  const days = Array.from({ length: Math.round((Date.parse(next) - start) / DAY) }, (_, i) => isoDay(start + i * DAY));
  const names = Array.from({ length: WEEK }, (_, i) => new Intl.DateTimeFormat(currentLanguage(), { weekday: "narrow", timeZone: "UTC" }).format(MONDAY + i * DAY));
  redraw($("days-grid"),
    ...names.map((name) => el("span", { class: "weekday", "aria-hidden": "true" }, name)),
    ...days.map((day) => (day < first || day > today ? el("span", { class: "day", "aria-hidden": "true" }, number(Number(day.slice(-2)))) : dayButton(day))));
  const [head] = $("days-grid").querySelectorAll(".day");
  sure(/** @type {HTMLElement} */ (head)).style.gridColumnStart = String(weekday + 1);
  $("days-legend").replaceChildren(.../** @type {const} */ (["won", "played", "begun", "none"]).map((name) => {
    const mark = MARKS[name === "played" ? "lost" : name];
    return el("span", {}, el("i", { class: "day", "data-how": name === "played" ? "lost" : name }, mark && icon(mark)), t(`days.legend.${name}`));
  }));
  const streak = daysOf(game)?.streak ?? 0;
  show($("days-streak"), streak > 0);
  setText($("days-streak"), tn("front.streak", streak));
}

/** @param {number} months */
function turn(months) {
  shown.month = otherMonth(shown.month, months);
  draw();
}

function ask() {
  if (atFront() && !document.hidden) send({ type: "days" });
}

/** Also when another day begins. */
function askAtMidnight() {
  const midnight = new Date().setHours(24, 0, 1);
  setTimeout(() => {
    ask();
    askAtMidnight();
  }, midnight - Date.now());
}

export function mountDays() {
  on("days", (event) => {
    known = event;
    emit("today");
    draw();
    if (awaited && atFront()) openDays(awaited);
  });
  on("view", () => (awaited = ""));
  on("hello view", ask);
  document.addEventListener("visibilitychange", ask);
  askAtMidnight();
  on("language sessions", draw);
  $("days-before").addEventListener("click", () => turn(-1));
  $("days-after").addEventListener("click", () => turn(1));
  walkByArrows($("days-grid"));
}

// The rows of a comparison: as a table to read, and as what other programs read.

import { el, svg } from "../base/dom.js";
import { currentLanguage, localized, t, tn } from "../base/i18n.js";
import { groundWords } from "../desk/names.js";
import { labelOf } from "./form.js";
/** @import { Child } from "../base/dom.js" */
/** @import { Compare, GameInfo, MethodScore, Standings } from "../base/messages.js" */
/** article: the field of a row whose figure the article may tell too; it is said in the same way.
 *  @typedef {{ title: string, cell: (row: MethodScore) => Child, article?: string, say?: (value: number) => string }} Column */

/** @param {number} digits */
const fixed = (digits) => (/** @type {number | null | undefined} */ value) =>
  value === null || value === undefined ? "" : new Intl.NumberFormat(currentLanguage(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** @param {number | null | undefined} value */
const share = (value, digits = 1) => (value === null || value === undefined ? "" : new Intl.NumberFormat(currentLanguage(), { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value));

/** A mean of which clocks have cut something off. @param {MethodScore} row @param {string} text */
const least = ({ at_least: cut }, text) => (cut && text ? `≥ ${text}` : text);

/** The share and its interval as a line from 0 to 1. @param {MethodScore} row */
function bar({ win_rate: rate, ci_low: low, ci_high: high, article }) {
  const told = article.win_rate;
  return svg("svg", { class: "interval", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "rail", x: 0, y: 5, width: 100, height: 2 }),
    svg("rect", { class: "span", x: 100 * low, y: 3, width: Math.max(0.5, 100 * (high - low)), height: 6 }),
    svg("rect", { class: "at", x: Math.min(98.5, 100 * rate), y: 0, width: 1.5, height: 12 }),
    told === undefined ? null : svg("rect", { class: "told", x: Math.min(98.5, 100 * told), y: 0, width: 1.5, height: 12 }));
}

/** @param {MethodScore} row */
const rate = (row) => el("span", { class: "rate" }, el("span", {}, share(row.win_rate), " ", el("small", {}, `${share(row.ci_low, 0)} – ${share(row.ci_high, 0)}`)), bar(row));

/** @param {MethodScore} row */
function score(row) {
  const digits = (row.mean_score ?? 0) < 1000 ? 1 : 0;
  const [low, high] = [row.score_low, row.score_high].map(fixed(digits));
  return el("span", {}, least(row, fixed(digits)(row.mean_score)), " ", low ? el("small", {}, `${low} – ${high}`) : null);
}

/** Those that say something about these rows. @param {Standings} told @returns {Column[]} */
function columns({ rows, aims }) {
  const scored = rows.some((row) => row.mean_score !== null);
  /** @param {keyof MethodScore} key */
  const count = (key) => (/** @type {MethodScore} */ row) => fixed(0)(/** @type {number} */ (row[key]));
  /** @type {(Column | false)[]} */
  const all = [
    { title: t("compare.games"), cell: count("games") },
    aims && { title: t(`compare.${scored ? "made" : "won"}`), cell: count("won") },
    aims && { title: t(`compare.${scored ? "share" : "rate"}`), cell: rate, article: "win_rate", say: share },
    !scored && { title: t("compare.lost"), cell: count("lost") },
    { title: t("compare.cut"), cell: count("cut") },
    rows.some((row) => row.undecided > row.cut) && { title: t("compare.open"), cell: (row) => fixed(0)(row.undecided - row.cut) },
    rows.some((row) => row.mean_completion !== null) && { title: t("compare.completion"), cell: (row) => least(row, share(row.mean_completion)), article: "mean_completion", say: share },
    ...[...new Set(rows.map(({ measure }) => measure))].filter((measure) => measure !== null).map((measure) => ({
      title: t("compare.best", { measure: t(`measure.${measure}`) }),
      cell: (/** @type {MethodScore} */ row) => (row.measure === measure ? fixed(2)(row.mean_best) : ""),
    })),
    scored && { title: t("compare.score"), cell: score, article: "mean_score", say: fixed(1) },
    { title: t("compare.length"), cell: (row) => least(row, fixed(1)(row.mean_length)), article: "mean_length", say: fixed(1) },
    { title: t("compare.mean"), cell: (row) => fixed(2)(row.mean_seconds), article: "mean_seconds", say: fixed(1) },
    { title: t("compare.max"), cell: (row) => fixed(2)(row.max_seconds) },
  ];
  return all.filter((column) => column !== false).flatMap((column) => {
    const { article, say } = column;
    if (!article || !say || !rows.some((row) => article in row.article)) return [column];
    return [column, { title: t("compare.article"), cell: (row) => (article in row.article ? say(row.article[article]) : "") }];
  });
}

/** `NAME(key=value,...)`, as rows name a method, in words. @param {GameInfo} info @param {string} name */
function nameWords(info, name) {
  const [, method, inside = ""] = /^([^(]*)(?:\((.*)\))?$/.exec(name) ?? ["", name];
  return labelOf(info, method, Object.fromEntries(inside.split(",").map((pair) => pair.split("="))));
}

/** Whose game is being played; empty before and after. @param {Standings} told @param {GameInfo} info */
export const nowWords = ({ level, name }, info) => name && t("list.pair", { name: groundWords(level), value: nameWords(info, name) });

/** @param {Standings} told @param {Compare} asked @param {GameInfo} info */
export function tableParts(told, asked, info) {
  const { rows } = told;
  const several = asked.levels.length > 1;
  const shown = columns(told);
  const names = [...(several ? [t("compare.level")] : []), t("compare.name")];
  const heads = [...names.map((text) => el("th", { scope: "col", class: "words" }, text)), ...shown.map(({ title }) => el("th", { scope: "col" }, title))];
  return [
    el("caption", { id: "compare-caption" }, t("compare.caption", { game: localized(info.title), seed: String(asked.seed) })),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...rows.map((row) => el("tr", { "data-testid": "compare-row", "data-key": `${row.level} ${row.name}`, "data-level": row.level, "data-name": row.name },
      several ? el("th", { scope: "row" }, groundWords(row.level)) : null,
      el("th", { scope: "row" }, nameWords(info, row.name)),
      ...shown.map(({ cell, title }) => el("td", title === t("compare.article") ? { class: "told" } : {}, cell(row)))))),
  ];
}

/** What the figures mean, and what the clock has done to them. @param {Standings} told @param {number} seconds */
export function wordsBelow({ rows, hurry }, seconds) {
  if (!rows.length) return "";
  const about = t(rows.some((row) => row.mean_score !== null) ? "compare.about.scores" : "compare.about");
  /** @param {MethodScore[]} of @param {"cut" | "games"} key */
  const sum = (of, key) => of.reduce((all, row) => all + row[key], 0);
  const games = sum(rows.filter(({ cut }) => cut > 0), "games");
  return hurry ? [about, tn(`compare.${hurry}`, sum(rows, "cut"), { games, time: String(seconds) })].join(" ") : about;
}

/** As a shell reads it. @param {string} text */
const quoted = (text) => (/^[\w:=,./@+-][\w:=,./@+#-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The command that gives the same rows. @param {Compare} asked */
export function commandOf({ levels, by, games, seconds, seed }) {
  const methods = by.map(({ name, settings = {} }) => {
    const pairs = Object.entries(settings).map(([key, value]) => `${key}=${value}`).join(",");
    return pairs ? `${name}(${pairs})` : name;
  });
  return ["winnable compare", ...levels.map(quoted), "--by", quoted(methods.join(",")), "--games", games, "--time", seconds, "--seed", seed].join(" ");
}

/** As `winnable compare --json` prints them. @param {MethodScore[]} rows */
export const asJson = (rows) => `${JSON.stringify(rows, null, 2)}\n`;

/** A line for each row, below the names of the fields. @param {MethodScore[]} rows */
export function asCsv(rows) {
  /** @param {unknown} value */
  const cell = (value) => {
    const text = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return lines.map((line) => `${line.map(cell).join(",")}\n`).join("");
}

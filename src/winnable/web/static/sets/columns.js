// What a level's row says, and by what it is sorted. What games say of their levels has columns where levels differ in it.

import { el, icon } from "../base/dom.js";
import { currentLanguage, has, localized, number, t } from "../base/i18n.js";
import { refusalText } from "../base/refusal.js";
import { gameInfo } from "../desk/game.js";
import { levelWords } from "../desk/names.js";
import { rowOf, rowsInOrder, view } from "./state.js";
/** @import { Child } from "../base/dom.js" */
/** @import { SetRow } from "../base/messages.js" */

/** @typedef {"waits" | "none" | "wrong" | "solved" | "unsolvable" | "budget" | "open"} Kind */
/** key: what it is sorted by; null: it has none.
 *  @typedef {{ id: string, title: string, width: string, key: (row: SetRow) => string | number | null, cell: (row: SetRow) => Child[], number?: boolean }} Column */

/** From what needs a person to what is fine. @type {Kind[]} */
const KINDS = ["none", "wrong", "unsolvable", "budget", "open", "waits", "solved"];
/** In the catalogues of the column "difficulty" and "size". */
const SAID_ELSEWHERE = ["difficulty", "rows", "columns"];
const MOST_FACTS = 6;

/** What became of a level. @param {SetRow} row @returns {Kind} */
export function kindOf({ look, judged }) {
  if (look.level_id === null) return "none";
  if (look.verdict === "unsolvable") return "unsolvable";
  if (look.problem !== null && look.fault !== null) return "wrong";
  return look.verdict ?? (judged ? "open" : "waits");
}

/** What the game is called. @param {SetRow} row */
const gameName = ({ look: { game } }) => {
  const info = game === null ? undefined : gameInfo(game);
  return info?.name === game ? localized(info?.title) : "";
};

/** Its title, unless that is the game's; else what it came from, at last the game. @param {SetRow} row */
export function nameOf(row) {
  const { title, name, look } = row;
  const [own, level] = [localized(title), levelWords({ level_id: look.level_id ?? "", day: null })];
  const known = look.level_id?.includes("@") ? "" : level.level;
  return own && own !== level.game ? own : name || known || gameName(row);
}

/** What tells it from all others, where it has no name. @param {SetRow} row */
const mark = ({ look: { level_id: id } }) => id?.split("@")[1]?.slice(0, 8);

/** What a person may look for. @param {SetRow} row */
export const textOf = (row) => [nameOf(row), row.name, row.look.level_id, problemOf(row), kindWord(row)].join("\n").toLowerCase();

/** What is wrong with a level, in the reader's language; empty: nothing, or what its verdict says. @param {SetRow} row */
export function problemOf({ problem, look }) {
  if (look.fault === "unsolvable") return "";
  return problem ? refusalText({ ...problem, type: "error", request: "", field: "" }, gameInfo(look.game ?? undefined)) : look.problem ?? "";
}

/** @param {SetRow} row */
export const kindWord = (row) => t(`sets.kind.${kindOf(row)}`);

/** To make one takes longer than to draw a row. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** @param {Intl.NumberFormatOptions} how @param {number} figure */
function format(how, figure) {
  const key = currentLanguage() + JSON.stringify(how);
  const made = formats.get(key) ?? new Intl.NumberFormat(currentLanguage(), how);
  formats.set(key, made);
  return made.format(figure);
}

/** @param {number} figure Of difficulty: some games count in thousands, some in ones. */
export const figureText = (figure) => format(Math.abs(figure) < 100 ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : { maximumFractionDigits: 0 }, figure);

/** @param {number} share */
const percent = (share) => format({ style: "percent" }, share);

/** @param {SetRow} row */
function interval({ look: { rating_low: low, rating_high: high } }) {
  if (low !== null && high !== null) return t("sets.interval", { low: figureText(low), high: figureText(high) });
  return low !== null ? t("sets.over", { n: figureText(low) }) : high !== null ? t("sets.under", { n: figureText(high) }) : "";
}

/** @param {SetRow} row @returns {Child[]} */
function difficultyCell(row) {
  const { rating, word } = row.look;
  if (rating === null) return [];
  return [word && el("span", { class: "rating", "data-word": word }, t(`fact.word.${word}`)), el("span", {}, figureText(rating)), el("small", {}, interval(row))];
}

/** @param {SetRow} row @returns {Child[]} */
function parCell({ look: { cost, lower_bound: least, optimal } }) {
  if (cost === null) return least ? [t("sets.least", { n: number(least) })] : [];
  const more = optimal ? t("sets.fewest") : least ? t("sets.least", { n: number(least) }) : "";
  return [el("span", {}, number(cost)), more && el("small", {}, more)];
}

/** @param {SetRow} row */
const likeOf = (row) => row.same_as ?? row.twin_of;

/** Leads to the other one. @param {SetRow} row @returns {Child[]} */
function twinCell(row) {
  const other = likeOf(row);
  const place = other === null ? undefined : view.places.get(other);
  if (place === undefined) return [];
  const words = t(row.same_as === null ? "sets.twin" : "sets.same", { n: number(place + 1) });
  return [el("button", { class: "link", type: "button", tabindex: -1, "data-twin": other, "data-testid": "sets-twin" }, words)];
}

/** @param {SetRow} row */
const sizeOf = ({ look: { facts } }) => (typeof facts.rows === "number" && typeof facts.columns === "number" ? /** @type {const} */ ([facts.columns, facts.rows]) : null);

/** What the game says of it in numbers: what is measured first. @param {SetRow} row @returns {[string, number][]} */
const numbersOf = ({ look: { facts, figures } }) => [...Object.entries(figures), ...Object.entries(facts)].flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : []));

/** What a fact is called: its sentence, with a gap for the figure. @param {string} fact */
const factName = (fact) => (has(`figure.${fact}`) ? t(`figure.${fact}`) : has(`fact.${fact}`) ? t(`fact.${fact}`, { value: "…" }).replace(/^… ?个?|[:：] ?…$/, "") : fact.replaceAll("_", " "));

/** The numbers that games say of their levels, if they differ, as they say them. */
function factNames() {
  /** @type {Map<string, Set<unknown>>} */
  const values = new Map();
  for (const row of rowsInOrder()) for (const [name, value] of numbersOf(row)) values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values].filter(([name, differ]) => differ.size > 1 && !SAID_ELSEWHERE.includes(name)).slice(0, MOST_FACTS).map(([name]) => name);
}

/** @param {string} fact @returns {Column} */
function factColumn(fact) {
  const key = (/** @type {SetRow} */ row) => numbersOf(row).find(([name]) => name === fact)?.[1] ?? null;
  return { id: `fact ${fact}`, title: factName(fact), width: "96px", number: true, key, cell: (row) => [cellNumber(key(row))] };
}

/** @param {number | null} value */
const cellNumber = (value) => (value === null ? null : number(Math.round(value * 100) / 100));

/** @type {Column[]} */
let columns = [];
/** Whether the set has levels of more than one game, which are named then. */
let several = false;

/** @param {string} id */
export const columnOf = (id) => columns.find((column) => column.id === id);

/** Those that the set needed when they were chosen last. */
export const columnsNow = () => columns;

/** Works out which columns the set needs: whoever scrolls cannot wait for that. */
export function chooseColumns() {
  several = new Set(rowsInOrder().flatMap(({ look }) => look.game ?? [])).size > 1;
  columns = makeColumns();
}

/** @returns {Column[]} */
function makeColumns() {
  const rows = rowsInOrder();
  /** @param {(row: SetRow) => unknown} has @param {...Column} some */
  const where = (has, ...some) => (rows.some(has) ? some : []);
  return [
    { id: "place", title: t("sets.column.place"), width: `${46 + 9 * Math.max(2, number(view.order.length).length)}px`, number: true, key: ({ number }) => view.places.get(number) ?? null, cell: () => [] },
    { id: "name", title: t("sets.column.name"), width: "minmax(150px, 1fr)", key: nameOf, cell: nameCell },
    { id: "kind", title: t("sets.column.kind"), width: "128px", key: (row) => KINDS.indexOf(kindOf(row)), cell: (row) => [el("span", { class: "sets-kind", "data-kind": kindOf(row) }, kindWord(row))] },
    ...where((row) => row.look.cost !== null || row.look.lower_bound, { id: "par", title: t("sets.column.par"), width: "108px", number: true, key: ({ look }) => look.cost ?? look.lower_bound, cell: parCell }),
    ...where((row) => row.look.rating !== null, { id: "rating", title: t("sets.column.rating"), width: "190px", key: ({ look }) => look.rating, cell: difficultyCell }),
    ...where((row) => row.look.luck !== null, { id: "luck", title: t("sets.column.luck"), width: "70px", number: true, key: ({ look }) => look.luck, cell: ({ look }) => [look.luck === null ? null : percent(look.luck)] }),
    ...where(sizeOf, { id: "size", title: t("sets.column.size"), width: "76px", number: true, key: (row) => sizeOf(row)?.reduce((all, side) => all * side) ?? null, cell: (row) => [sizeOf(row)?.join(" × ")] }),
    ...factNames().map(factColumn),
    ...where((row) => likeOf(row) !== null, { id: "twin", title: t("sets.column.twin"), width: "120px", key: (row) => view.places.get(likeOf(row) ?? -1) ?? null, cell: twinCell }),
  ];
}

/** @param {SetRow} row @returns {Child[]} */
function nameCell(row) {
  const name = nameOf(row);
  const problem = problemOf(row);
  const below = problem || [several && gameName(row) !== name && gameName(row), row.name ? row.name !== name && row.name : mark(row)].filter(Boolean).join(" · ");
  return [el("strong", { title: name }, name), below && el("small", { title: below, class: problem ? "sets-problem" : null }, problem ? icon("cross") : null, below)];
}

/** A row in one sentence, for those who hear it. @param {SetRow} row */
export function spoken(row) {
  const { rating, word, cost } = row.look;
  const parts = [nameOf(row), kindWord(row), problemOf(row), cost === null ? "" : t("sets.heard.cost", { n: number(cost) }), rating === null || !word ? "" : t("rating.label", { word: t(`fact.word.${word}`) })];
  return parts.filter(Boolean).join(t("list.comma"));
}

/** @param {number} number */
export const twinOf = (number) => {
  const row = rowOf(number);
  return row ? likeOf(row) : null;
};

// Two languages from one set of keys. Templates are `{name}`; counts take `key.one` or `key.other`, or, within a sentence,
// what depends on one is `{name|this for one|that for more}`.

import { emit } from "./bus.js";
import { recall, remember } from "./storage.js";

/** @type {Record<string, string>} */
export const LANGUAGES = { en: "English", "zh-CN": "简体中文" };

/** @type {Record<string, string>} */
let catalog = {};
let language = "en";
let plural = new Intl.PluralRules("en");
let whole = new Intl.NumberFormat("en");

export function currentLanguage() {
  return language;
}

/** What was chosen before, else the first language of the browser that we speak. */
export function preferredLanguage() {
  const kept = recall("language");
  if (kept !== null && kept in LANGUAGES) return kept;
  for (const wish of navigator.languages ?? [navigator.language]) {
    if (wish.toLowerCase().startsWith("zh")) return "zh-CN";
    if (wish.toLowerCase().startsWith("en")) return "en";
  }
  return "en";
}

/** @param {string} name @param {boolean} keep */
export async function useLanguage(name, keep = false) {
  const response = await fetch(`locales/${name}.json`);
  if (!response.ok) throw new Error(`locales/${name}.json: ${response.status}`);
  catalog = await response.json();
  language = name;
  plural = new Intl.PluralRules(name);
  whole = new Intl.NumberFormat(name);
  if (keep) remember("language", name);
  document.documentElement.lang = name;
  translate(document);
  emit("language", name);
}

/** The text for a key; the key itself when it is missing, so that a gap is seen and nothing breaks.
 *  @param {string} key @param {Record<string, unknown>} values */
export function t(key, values = {}) {
  const template = catalog[key] ?? key;
  return template.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (whole, name, one, more) => {
    if (!(name in values)) return whole;
    const shown = String(values[name]);
    return one === undefined ? shown : shown === "1" ? one : more;
  });
}

/** @param {string} key */
export function has(key) {
  return key in catalog;
}

/** A game may have its own words for something: the key of those, else the common one.
 *  @param {string} key @param {string | undefined} game */
export function ownKey(key, game) {
  const own = `${key}.${game}`;
  return has(own) || has(`${own}.other`) ? own : key;
}

/** The text for a count: `n` fills `{n}`.
 *  @param {string} key @param {number} n @param {Record<string, unknown>} values */
export function tn(key, n, values = {}) {
  const form = plural.select(n) === "one" ? "one" : "other";
  return t(`${key}.${form}`, { n: number(n), ...values });
}

/** What one action of the game is called: its ordinal number stands before or after that.
 *  @param {string | undefined} game */
export function moveWord(game) {
  return t(ownKey("move", game));
}

/** So many actions of the game. @param {number} n @param {string | undefined} game */
export function countMoves(n, game) {
  return tn(ownKey("count.moves", game), n);
}

/** The language's own text out of `{en: ..., "zh-CN": ...}`, as the server sends titles.
 *  @param {Record<string, string> | undefined} texts */
export function localized(texts) {
  return texts?.[language] ?? texts?.en ?? Object.values(texts ?? {})[0] ?? "";
}

/** @param {number} value */
export function number(value) {
  return whole.format(value);
}

/** 12,345,678 -> 12.3M: for figures that change many times a second. @param {number} value */
export function shortNumber(value) {
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** @param {number} value */
export function seconds(value) {
  const digits = value < 10 ? 1 : 0;
  return t("time.seconds", { n: value.toFixed(digits) });
}

/** m:ss, for how long a game took. @param {number} total */
export function clock(total) {
  const rounded = Math.max(0, Math.round(total));
  return `${Math.floor(rounded / 60)}:${String(rounded % 60).padStart(2, "0")}`;
}

/** @param {number} epochSeconds */
export function ago(epochSeconds) {
  const passed = epochSeconds - Date.now() / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, size] of /** @type {const} */ ([["day", 86400], ["hour", 3600], ["minute", 60]])) {
    if (Math.abs(passed) >= size) return format.format(Math.round(passed / size), unit);
  }
  return format.format(0, "minute");
}

/** Fills in `data-i18n` (text), `data-i18n-label` (aria-label and tooltip), `data-i18n-placeholder`.
 *  @param {ParentNode} root */
export function translate(root) {
  for (const node of root.querySelectorAll("[data-i18n]")) node.textContent = t(node.dataset.i18n ?? "");
  for (const node of root.querySelectorAll("[data-i18n-label]")) {
    const text = t(node.dataset.i18nLabel ?? "");
    node.setAttribute("aria-label", text);
    if (node.matches("button")) node.title = text;
  }
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = root.querySelectorAll("[data-i18n-placeholder]");
  for (const input of inputs) input.placeholder = t(input.dataset.i18nPlaceholder ?? "");
}

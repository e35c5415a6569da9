// What is compared: on which levels, who, how many games. The browser keeps it for each game.

import { $, el, icon, setText, show, sure } from "../base/dom.js";
import { complain, countingIn, fault, pairsIn, paramField } from "../base/fields.js";
import { localized, t } from "../base/i18n.js";
import { recall, recallObject, remember } from "../base/storage.js";
import { game, gameInfo } from "../desk/game.js";
import { methodLabel, methodName, settingsFit, settingsOf, showSettings } from "../desk/methods.js";
import { groundWords, paramName, runName } from "../desk/names.js";
import { shortest } from "../desk/share.js";
/** @import { Compare, ComparisonInfo, GameInfo, MethodInfo, Run, SetMethod } from "../base/messages.js" */
/** @typedef {Pick<ComparisonInfo, "levels" | "by" | "games" | "seconds" | "seed"> & { preset: string }} Form */

const SHELF = "compare";
const BOARD = "board";
const NUMBERS = /** @type {const} */ (["games", "seconds", "seed"]);
/** As the server takes them. @type {Record<typeof NUMBERS[number], Parameters<typeof fault>[0]>} */
const LIMITS = {
  games: { minimum: 1, maximum: 1000, step: 1, whole: true },
  seconds: { minimum: 0.01, maximum: 3600, step: 1, whole: false },
  seed: { minimum: 0, maximum: 2 ** 53 - 1, step: 1, whole: true },
};

/** Kept tuning runs: what their weights make is named like a method. @type {Run[]} */
let runs = [];
let name = "";
/** @type {Form} */
let form = { levels: [], by: [], games: 10, seconds: 10, seed: 1, preset: "" };

export const info = () => sure(gameInfo(name));

/** Those of a game by name. @param {GameInfo} of @returns {Map<string, MethodInfo>} */
const methodsOf = ({ players, solvers }) => new Map([...players, ...solvers].map((method) => [method.name, method]));

/** `A (k = 1)` @param {GameInfo} of @param {string} method @param {Record<string, unknown>} settings */
export function labelOf(of, method, settings) {
  const run = runs.find(({ id }) => method === `run:${id}`);
  return run ? runName(run) : methodLabel(of.name, methodsOf(of).get(method) ?? { name: method, settings: [] }, settings);
}

/** The first table of the game's article; else what plays the game by itself, on new levels. @returns {Form} */
function usual() {
  const { comparisons, players, solvers } = info();
  const by = [...players.slice(0, 1), ...solvers.slice(0, 1)].map((method) => ({ name: method.name, settings: {} }));
  return comparisons.length ? presetForm(comparisons[0]) : { levels: [name], by, games: 10, seconds: 10, seed: 1, preset: "" };
}

/** @param {ComparisonInfo} comparison @returns {Form} */
const presetForm = ({ name: preset, levels, by, games, seconds, seed }) => ({ levels: [...levels], by: [...by], games, seconds, seed, preset });

/** Shows the form of a game as it was left. @param {string} of */
function turnTo(of) {
  name = of;
  remember(SHELF, name);
  const kept = /** @type {Partial<Form>} */ (recallObject(`${SHELF}.${name}`));
  form = { ...usual(), ...(Array.isArray(kept.levels) && Array.isArray(kept.by) ? kept : {}) };
  if (!info().comparisons.some((one) => one.name === form.preset)) form.preset = "";
  draw();
}

/** The form as it stands is what the browser keeps. */
function keep() {
  for (const key of NUMBERS) form[key] = Number($(`compare-${key}`).value);
  remember(`${SHELF}.${name}`, JSON.stringify(form));
}

/** A change of what the preset says makes it the person's own. @param {Partial<Form>} changed */
function change(changed) {
  form = { ...form, preset: "", ...changed };
  remember(`${SHELF}.${name}`, JSON.stringify(form));
  draw();
}

/** When the dialog opens: the game that was compared last, else that on the board. here: the level on the board alone. */
export function showForm(here = false) {
  const kept = recall(SHELF);
  const known = game.hello?.games.some((one) => one.name === kept);
  turnTo(here ? sure(game.state).game : name || (known && kept) || sure(gameInfo()).name);
  if (here) change({ levels: [shortest(sure(game.state))] });
}

/** What is to be asked for; null where something is missing or wrong, which is said then.
 *  @returns {Compare | null} */
export function request() {
  say("");
  for (const key of NUMBERS) {
    const control = $(`compare-${key}`);
    complain(control);
    const words = control.value === "" && !control.validity.badInput ? t("error.params.number", { given: "?" }) : fault(LIMITS[key], control);
    if (words) {
      complain(control, words);
      return null;
    }
  }
  keep();
  const missing = !form.levels.length ? "levels" : !form.by.length ? "by" : "";
  if (missing) {
    say(t(`compare.none.${missing}`));
    return null;
  }
  const { levels, by, games, seconds, seed } = form;
  return { type: "compare", game: name, levels, by, games, seconds, seed };
}

/** Says what is wrong with the form; empty: nothing is. @param {string} words */
export function say(words) {
  setText($("compare-error"), words);
  show($("compare-error"), words !== "");
}

/** Beside the field that the server names, else below the form.
 *  @param {string} field @param {string} words @param {string} whole With the field in front. */
export function blame(field, words, whole) {
  const key = NUMBERS.find((one) => one === field);
  if (key) complain($(`compare-${key}`), words);
  else say(whole);
}

/** @param {string} text @param {number} at @param {HTMLElement} list @param {() => void} remove */
function chip(text, at, list, remove) {
  const label = t("compare.remove", { name: text });
  const onclick = () => {
    remove();
    const left = list.querySelectorAll("button");
    (left[Math.min(at, left.length - 1)] ?? list.parentElement?.querySelector("select"))?.focus();
  };
  return el("li", { class: "chip", "data-testid": "chip" }, el("span", {}, text), el("button", { type: "button", class: "quiet", "aria-label": label, title: label, onclick }, icon("cross")));
}

/** @param {HTMLSelectElement} select @param {(HTMLOptionElement | HTMLOptGroupElement)[]} options */
function fill(select, options) {
  const { value } = select;
  select.replaceChildren(...options);
  select.value = value;
  if (!select.value) select.selectedIndex = 0;
}

/** @param {string} value @param {string} text */
const option = (value, text, selected = false) => el("option", { value, selected }, text);

function draw() {
  const of = info();
  fill($("compare-game"), (game.hello?.games ?? []).map((one) => option(one.name, localized(one.title))));
  $("compare-game").value = name;
  fill($("compare-preset"), [option("", t("compare.own")), ...of.comparisons.map((one) => option(one.name, t(`comparison.${name}.${one.name}`)))]);
  $("compare-preset").value = form.preset;
  setText($("compare-about"), form.preset && t(`comparison.${name}.${form.preset}.about`));
  $("compare-levels").replaceChildren(...form.levels.map((level, at) =>
    chip(groundWords(level), at, $("compare-levels"), () => change({ levels: form.levels.filter((_, i) => i !== at) }))));
  $("compare-by").replaceChildren(...form.by.map((one, at) =>
    chip(labelOf(of, one.name, one.settings ?? {}), at, $("compare-by"), () => change({ by: form.by.filter((_, i) => i !== at) }))));
  for (const key of NUMBERS) $(`compare-${key}`).value = String(form[key]);
  drawChoices();
}

/** What may be added. */
function drawChoices() {
  const { levels, players, solvers, params } = info();
  const board = game.state?.game === name ? [option(BOARD, t("compare.levels.board"))] : [];
  fill($("compare-level"), [option("", t("compare.levels.new")), ...board, ...levels.map((one) => option(one.name, localized(one.title)))]);
  /** @param {string} key @param {[string, string][]} methods */
  const group = (key, methods) => (methods.length ? [el("optgroup", { label: t(key) }, ...methods.map(([value, text]) => option(value, text)))] : []);
  /** @param {MethodInfo[]} methods @returns {[string, string][]} */
  const named = (methods) => methods.map((one) => [one.name, methodName(one.name)]);
  const tuned = runs.filter((run) => run.game === name && run.latest);
  fill($("compare-method"), [...group("watch.players", named(players)), ...group("watch.solvers", named(solvers)), ...group("watch.tuned", tuned.map((run) => [`run:${run.id}`, runName(run)]))]);
  $("compare-params").replaceChildren(...params.map((param) =>
    paramField(param, (word) => paramName(word, name), { "data-param": param.name, "data-testid": `compare-param-${param.name}`, onchange: drawParams })));
  drawParams();
  drawSettings();
}

function drawParams() {
  show($("compare-new"), $("compare-level").value === "");
  countingIn($("compare-params"), info().params);
}

const drawSettings = () => showSettings($("compare-settings"), name, methodsOf(info()).get($("compare-method").value));

function addLevel() {
  const { value } = $("compare-level");
  const { params } = info();
  for (const [control, param] of value ? [] : countingIn($("compare-params"), params)) {
    const words = param.choices ? "" : fault(param, control);
    complain(control, words);
    if (words) {
      $("compare-new").open = true;
      control.focus();
      return;
    }
  }
  const pairs = pairsIn($("compare-params"), params);
  const level = value === BOARD ? shortest(sure(game.state)) : value || (pairs ? `${name}:${pairs}` : name);
  say("");
  change({ levels: [...new Set([...form.levels, level])] });
}

function addMethod() {
  const { value } = $("compare-method");
  const method = methodsOf(info()).get(value);
  if (!settingsFit($("compare-settings"))) return;
  /** @type {SetMethod} */
  const added = { name: value, settings: method ? settingsOf(name, method) : {} };
  const known = form.by.some((one) => JSON.stringify(one) === JSON.stringify(added));
  say("");
  if (!known) change({ by: [...form.by, added] });
}

function choosePreset() {
  const chosen = info().comparisons.find((one) => one.name === $("compare-preset").value);
  say("");
  for (const key of NUMBERS) complain($(`compare-${key}`));
  change(chosen ? presetForm(chosen) : {});
}

/** @param {Run[]} found */
export function onRuns(found) {
  runs = found;
  if (name) drawChoices();
}

/** In another language, or with another board. */
export const redrawForm = () => name && draw();

export function mountForm() {
  $("compare-game").addEventListener("change", () => turnTo($("compare-game").value));
  $("compare-preset").addEventListener("change", choosePreset);
  $("compare-level").addEventListener("change", drawParams);
  $("compare-method").addEventListener("change", drawSettings);
  $("compare-level-add").addEventListener("click", addLevel);
  $("compare-method-add").addEventListener("click", addMethod);
  for (const key of NUMBERS) $(`compare-${key}`).addEventListener("input", keep);
}

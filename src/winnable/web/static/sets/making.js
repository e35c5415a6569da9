// The dialog in which levels are ordered: of which game, by which parameters, how many and how hard.

import { $, el, openDialog, setText, show, sure } from "../base/dom.js";
import { changedValue, complain, countingIn, fault, paramField } from "../base/fields.js";
import { localized, t } from "../base/i18n.js";
import { refusalText, refusalWords } from "../base/refusal.js";
import { game, gameInfo, send } from "../desk/game.js";
import { isMadeToOrder, WORDS } from "../desk/hardness.js";
import { methodName } from "../desk/methods.js";
import { paramName } from "../desk/names.js";
import { randomSeed } from "../desk/newgame.js";
/** @import { Control, Limits } from "../base/fields.js" */
/** @import { ErrorEvent, SetMake } from "../base/messages.js" */

const NUMBERS = /** @type {const} */ (["count", "seed", "share", "points"]);
/** As the server takes them. @type {Record<typeof NUMBERS[number], Limits>} */
const LIMITS = {
  count: { minimum: 1, maximum: 20_000, step: 1, whole: true },
  seed: { minimum: 0, maximum: 2 ** 53 - 1, step: 1, whole: true },
  share: { minimum: 0, maximum: 100, step: 1, whole: false },
  points: { minimum: -10_000, maximum: 10_000, step: 1, whole: false },
};

let name = "";
/** Whether an order is out and not answered yet. */
let waits = false;

const info = () => sure(gameInfo(name || undefined));
const hardness = () => $("make-hard").value;

/** How hard may be told as a word of each game that has one; as a share or a figure where levels are made to order. */
const ways = () => ["", ...WORDS, ...(isMadeToOrder(info()) ? ["share", "points"] : [])];

export function openMaking() {
  if ($("make-dialog").open || !game.hello) return;
  if (!name) name = info().name;
  if (!$("make-seed").value) $("make-seed").value = String(randomSeed());
  waits = false;
  say("");
  draw();
  openDialog($("make-dialog"));
}

/** @param {HTMLSelectElement} select @param {[string, string][]} options */
function fill(select, options) {
  const { value } = select;
  select.replaceChildren(...options.map(([key, text]) => el("option", { value: key }, text)));
  select.value = options.some(([key]) => key === value) ? value : options[0]?.[0] ?? "";
}

function draw() {
  fill($("make-game"), (game.hello?.games ?? []).map((one) => [one.name, localized(one.title)]));
  $("make-game").value = name;
  fill($("make-hard"), ways().map((way) => [way, WORDS.includes(way) ? t(`fact.word.${way}`) : t(`sets.make.hard.${way || "any"}`)]));
  fill($("make-by"), [["", methodName("careful")], ...info().players.filter((one) => one.name !== "careful").map((one) => /** @type {[string, string]} */ ([one.name, methodName(one.name)]))]);
  const attributes = { onchange: () => countingIn($("make-params"), info().params) };
  $("make-params").replaceChildren(...info().params.map((param) =>
    paramField(param, (word) => paramName(word, name), { ...attributes, "data-param": param.name, "data-testid": `make-param-${param.name}` })));
  countingIn($("make-params"), info().params);
  for (const id of /** @type {const} */ (["make-certify", "make-tight"])) show(sure($(id).closest("label")), info().solvers.length > 0);
  drawHardness();
}

/** The fields that the way needs in which is told how hard. */
function drawHardness() {
  const way = hardness();
  show(sure($("make-share").closest("label")), way === "share");
  show(sure($("make-points").closest("label")), way === "points");
  show(sure($("make-by").closest("label")), way === "share" || way === "points");
}

export function relabelMaking() {
  if ($("make-dialog").open) draw();
}

/** The first field that cannot be so, which says why then. */
function wrong() {
  const shown = NUMBERS.filter((key) => $(`make-${key}`).checkVisibility());
  /** @type {[Control, Limits][]} */
  const all = [...countingIn($("make-params"), info().params), ...shown.map((key) => /** @type {[Control, Limits]} */ ([$(`make-${key}`), LIMITS[key]]))];
  for (const [control, limits] of all) {
    const empty = control.value === "" && !control.validity.badInput;
    const words = empty ? t("error.params.number", { given: "?" }) : "choices" in limits && limits.choices ? "" : fault(limits, control);
    complain(control, words);
    if (words) return true;
  }
  return false;
}

/** @param {string} set @returns {SetMake} */
function request(set) {
  const params = Object.fromEntries(countingIn($("make-params"), info().params).flatMap(([control, param]) => {
    const value = changedValue(param, control.value.trim());
    return value === undefined ? [] : [[param.name, value]];
  }));
  const way = hardness();
  const difficulty = way === "share" ? `${$("make-share").value}%` : way === "points" ? `${$("make-points").value} points` : way;
  const solves = info().solvers.length > 0;
  return {
    type: "set_make", set, game: name, params, count: Number($("make-count").value), seed: Number($("make-seed").value), difficulty,
    by: way === "share" || way === "points" ? $("make-by").value : "",
    certify: solves && $("make-certify").checked, tight: solves && $("make-tight").checked, distinct: $("make-distinct").checked,
  };
}

/** @param {string} words Empty: nothing is wrong. */
function say(words) {
  setText($("make-error"), words);
  show($("make-error"), words !== "");
}

/** The studio has begun: the next order is of other levels. */
export function begun() {
  if (!waits) return;
  waits = false;
  $("make-seed").value = String(randomSeed());
  $("make-dialog").close();
}

/** Whether the dialog says a refusal, beside the field that it is about or above the button. @param {ErrorEvent} event */
export function saidInMaking(event) {
  if (!waits || !["set_make", "set_new"].includes(event.request)) return false;
  waits = false;
  const { field } = event;
  const own = { count: "count", seed: "seed", by: "by", difficulty: { share: "share", points: "points" }[hardness()] ?? "hard" }[field];
  const control = own ? $(/** @type {"make-hard"} */ (`make-${own}`)) : $("make-params").querySelector(`[data-param="${CSS.escape(field)}"]`);
  if (field && control) complain(/** @type {Control} */ (control), refusalWords(event, info()));
  else say(refusalText(event, info()));
  return true;
}

/** @param {(title: string, work: (set: string) => void) => void} inSet Does something with the open set, or with a new one. */
export function mountMaking(inSet) {
  $("make-game").addEventListener("change", () => {
    name = $("make-game").value;
    say("");
    draw();
  });
  $("make-hard").addEventListener("change", () => {
    complain($("make-hard"));
    drawHardness();
  });
  $("make-dice").addEventListener("click", () => ($("make-seed").value = String(randomSeed())));
  $("make-form").addEventListener("input", () => say(""));
  $("make-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (waits || wrong()) return;
    waits = true;
    inSet(localized(info().title), (set) => (waits = send(request(set))));
  });
}

// Solvers and players by name, and what each of them is set to in this browser.

import { el, icon, show, sure } from "../base/dom.js";
import { changedValue, complain, fault, firstWord, paramField } from "../base/fields.js";
import { has, t } from "../base/i18n.js";
import { recallObject, remember } from "../base/storage.js";
/** @import { Icon } from "../base/dom.js" */
/** @import { Control } from "../base/fields.js" */
/** @import { MethodInfo } from "../base/messages.js" */
/** @typedef {Pick<MethodInfo, "name" | "settings">} Method */

/** What methods are called: our words for those that we know, the server's name for the rest. @param {string} name */
export function methodName(name) {
  const key = `method.${name}`;
  return has(key) ? t(key) : name;
}

/** @param {string} game @param {string} method */
const shelf = (game, method) => `settings.${game}.${method}`;

/** The control of a parameter; of the first one, if none is named.
 *  @param {HTMLElement} place @param {string} [name] */
function controlIn(place, name) {
  return /** @type {Control | null} */ (place.querySelector(name ? `[data-param="${name}"]` : "[data-param]"));
}

/** What the person has set a method to; what is missing has its default.
 *  @param {string} game @param {Method} method */
export function settingsOf(game, { name, settings }) {
  const kept = /** @type {Record<string, number | string>} */ (recallObject(shelf(game, name)));
  return Object.fromEntries(settings.flatMap((param) => (param.name in kept ? [[param.name, kept[param.name]]] : [])));
}

/** `A (k = 1)`: the name with what is set otherwise than by default.
 *  @param {string} game @param {Method} method @param {Record<string, unknown>} values */
export function methodLabel(game, method, values) {
  const set = method.settings.filter(({ name, default: usual }) => name in values && values[name] !== usual);
  const words = set.map(({ name }) => `${settingWord(game, name)} = ${values[name]}`).join(", ");
  return words ? t("method.set", { method: methodName(method.name), settings: words }) : methodName(method.name);
}

/** @param {string} game @param {string} name */
function settingWord(game, name) {
  return firstWord(`setting.${game}.${name}`, `setting.${name}`, `param.${name}`);
}

/** Shows the fields of a method (or, without one, none) at `place`, and keeps what is entered.
 *  @param {HTMLElement} place @param {string | undefined} game @param {Method | null | undefined} method */
export function showSettings(place, game, method) {
  const settings = method?.settings ?? [];
  show(place, settings.length > 0);
  if (!game || !method || !settings.length) return;
  const kept = settingsOf(game, method);
  place.replaceChildren(...settings.map((param) => {
    const attributes = { "data-param": param.name, "data-testid": `setting-${param.name}`, onchange: () => keep(place, game, method) };
    const field = paramField(param, (name) => settingWord(game, name), attributes);
    sure(controlIn(field)).value = String(kept[param.name] ?? param.default);
    return field;
  }), el("button", { type: "button", class: "link", "data-testid": "settings-reset", onclick: () => reset(place, game, method) }, t("settings.reset")));
}

/** @param {HTMLElement} place @param {string} game @param {Method} method */
function reset(place, game, method) {
  remember(shelf(game, method.name), "{}");
  showSettings(place, game, method);
}

/** @param {HTMLElement} place @param {string} game @param {Method} method */
function keep(place, game, method) {
  /** @type {Record<string, number | string>} */
  const kept = {};
  for (const param of method.settings) {
    const control = sure(controlIn(place, param.name));
    const words = fault(param, control);
    complain(control, words);
    const value = words ? undefined : changedValue(param, control.value.trim());
    if (value !== undefined) kept[param.name] = value;
  }
  remember(shelf(game, method.name), JSON.stringify(kept));
}

/** From now on the method is set so, but for what is not named here.
 *  @param {string} game @param {string} method @param {Record<string, unknown>} values */
export function keepSettings(game, method, values) {
  remember(shelf(game, method), JSON.stringify(values));
}

/** Whether all fields at `place` can be sent as they are. @param {HTMLElement} place */
export function settingsFit(place) {
  const wrong = place.hidden ? null : place.querySelector("[aria-invalid=true]");
  wrong?.focus();
  return !wrong;
}

/** Says a refusal beside the field that it names; false when no such field is there.
 *  @param {HTMLElement} place @param {string} field @param {string} words */
export function blameSetting(place, field, words) {
  const control = place.hidden || !field ? null : controlIn(place, CSS.escape(field));
  if (control) complain(control, words);
  return control !== null;
}

/** The button of a method and, where it can be set, the one that opens its settings. place: the id of where they
 *  are shown.
 *  @param {Method} method @param {string} place @param {string | null} opened @param {Icon} picture
 *  @param {(name: string) => unknown} start @param {(name: string) => unknown} open */
export function methodButton({ name, settings }, place, opened, picture, start, open) {
  const button = el("button", { type: "button", "data-testid": `${place}-${name}`, "data-method": name, onclick: () => start(name) }, icon(picture), el("span", {}, methodName(name)));
  if (!settings.length) return button;
  const label = t("settings.of", { method: methodName(name) });
  const gear = el("button", { type: "button", class: "square", "data-testid": `settings-${name}`, "aria-label": label, title: label, "aria-expanded": String(opened === name), "aria-controls": `${place}-settings`, onclick: () => open(name) }, icon("tune"));
  return el("span", { class: "joined" }, button, gear);
}

/** What a method is doing, in words that the catalogue fills with its figures; else what it is called. */
export function stageText({ stage = "", values = {}, solver = "" }) {
  if (has(`stage.${stage}`)) return t(`stage.${stage}`, values);
  return methodName(has(`method.${stage}`) ? stage : solver) || "…";
}

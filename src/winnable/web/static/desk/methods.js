// Solvers and players by name, and what each of them is set to in this browser.

import { el, icon, show } from "../base/dom.js";
import { changedValue, complain, fault, firstWord, paramField } from "../base/fields.js";
import { has, t } from "../base/i18n.js";
import { recallObject, remember } from "../base/settings.js";

/** What methods are called: our words for those that we know, the server's name for the rest. */
export function methodName(name) {
  const key = `method.${name}`;
  return has(key) ? t(key) : name;
}

const shelf = (game, method) => `settings.${game}.${method}`;

/** What the person has set a method to; what is missing has its default. */
export function settingsOf(game, { name, settings }) {
  const kept = recallObject(shelf(game, name));
  return Object.fromEntries(settings.flatMap((param) => (param.name in kept ? [[param.name, kept[param.name]]] : [])));
}

/** `A (k = 1)`: the name with what is set otherwise than by default. */
export function methodLabel(game, method, values) {
  const set = method.settings.filter(({ name, default: usual }) => name in values && values[name] !== usual);
  const words = set.map(({ name }) => `${settingWord(game, name)} = ${values[name]}`).join(", ");
  return words ? t("method.set", { method: methodName(method.name), settings: words }) : methodName(method.name);
}

function settingWord(game, name) {
  return firstWord(`setting.${game}.${name}`, `setting.${name}`, `param.${name}`);
}

/** Shows the fields of a method (or, without one, none) at `place`, and keeps what is entered. */
export function showSettings(place, game, method) {
  const settings = method?.settings ?? [];
  show(place, settings.length > 0);
  if (!settings.length) return;
  const kept = settingsOf(game, method);
  place.replaceChildren(...settings.map((param) => {
    const attributes = { "data-param": param.name, "data-testid": `setting-${param.name}`, onchange: () => keep(place, game, method) };
    const field = paramField(param, (name) => settingWord(game, name), attributes);
    field.querySelector("[data-param]").value = kept[param.name] ?? param.default;
    return field;
  }), el("button", { type: "button", class: "link", "data-testid": "settings-reset", onclick: () => reset(place, game, method) }, t("settings.reset")));
}

function reset(place, game, method) {
  remember(shelf(game, method.name), "{}");
  showSettings(place, game, method);
}

function keep(place, game, method) {
  const kept = {};
  for (const param of method.settings) {
    const control = place.querySelector(`[data-param="${param.name}"]`);
    const words = fault(param, control);
    complain(control, words);
    const value = words ? undefined : changedValue(param, control.value.trim());
    if (value !== undefined) kept[param.name] = value;
  }
  remember(shelf(game, method.name), JSON.stringify(kept));
}

/** Whether all fields at `place` can be sent as they are. */
export function settingsFit(place) {
  const wrong = place.hidden ? null : place.querySelector("[aria-invalid=true]");
  wrong?.focus();
  return !wrong;
}

/** Says a refusal beside the field that it names; false when no such field is there. */
export function blameSetting(place, field, words) {
  const control = place.hidden || !field ? null : place.querySelector(`[data-param="${CSS.escape(field)}"]`);
  if (control) complain(control, words);
  return control !== null;
}

/** The button of a method and, where it can be set, the one that opens its settings. place: the id of where they
 *  are shown. */
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

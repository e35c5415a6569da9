// Fields for what a level or a method can be set to, as the server describes it.

import { el, show, sure } from "./dom.js";
import { has, t } from "./i18n.js";
/** @import { Attributes } from "./dom.js" */
/** @import { Param } from "./messages.js" */
/**
 * @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control
 * @typedef {Pick<Param, "minimum" | "maximum" | "step" | "whole">} Limits
 */

/** The first of these words that the catalogue has; else the last part of the last one. @param {...string} keys */
export function firstWord(...keys) {
  const key = keys.find(has);
  return key ? t(key) : sure(sure(keys.at(-1)).split(".").at(-1));
}

/** A control for one parameter; `word` names it and its choices.
 *  @param {Param} param @param {(name: string) => string} word @param {Attributes} attributes */
export function paramField(param, word, attributes) {
  const control = param.choices
    ? el("select", attributes, ...param.choices.map((value) => el("option", { value, selected: value === param.default }, word(`${param.name}.${value}`))))
    : el("input", { ...attributes, type: "number", inputmode: param.whole ? "numeric" : "decimal", step: param.whole ? param.step : "any", min: param.minimum, max: param.maximum, value: param.default });
  return el("label", { class: "field" }, el("span", {}, word(param.name)), control);
}

/** Each control at `place` with its parameter. @param {HTMLElement} place @param {Param[]} params @returns {[Control, Param][]} */
export function controlsIn(place, params) {
  /** @type {NodeListOf<Control>} */
  const controls = place.querySelectorAll("[data-param]");
  return [...controls].map((control) => [control, sure(params.find(({ name }) => name === control.dataset.param))]);
}

/** Those that count: the others have no effect with the choices made, and are not shown.
 *  @param {HTMLElement} place @param {Param[]} params */
export function countingIn(place, params) {
  const all = controlsIn(place, params);
  const chosen = Object.fromEntries(all.map(([control, { name }]) => [name, control.value]));
  return all.filter(([control, { only }]) => {
    const counts = Object.entries(only).every(([name, choices]) => choices.includes(chosen[name]));
    show(sure(control.closest(".field")), counts);
    return counts;
  });
}

/** `key=value,...` of those that count and do not have their default. @param {HTMLElement} place @param {Param[]} params */
export function pairsIn(place, params) {
  const given = countingIn(place, params).map(([control, param]) => /** @type {const} */ ([param, control.value.trim()]));
  return given.flatMap(([{ name, default: usual }, value]) => (value === "" || value === String(usual) ? [] : [`${name}=${value}`])).join(",");
}

/** A text where it differs from the default, as a number where the parameter is one.
 *  @param {Param} param @param {string} text */
export function changedValue(param, text) {
  if (text === "" || text === String(param.default)) return undefined;
  return param.choices ? text : Number(text);
}

/** Says beside the control what is wrong with it, or (without words) that nothing is. @param {Control} control */
export function complain(control, words = "") {
  const label = sure(control.closest(".field"));
  label.querySelector(".field-error")?.remove();
  control.setAttribute("aria-invalid", words !== "");
  control.removeAttribute("aria-describedby");
  if (!words) return;
  const id = `complaint-${control.dataset.param ?? control.id}`;
  label.append(el("small", { class: "field-error", id, role: "alert", "data-testid": "field-error" }, words));
  control.setAttribute("aria-describedby", id);
  control.focus();
}

/** What is wrong with a control, in the words of the server's own refusal; empty when nothing is.
 *  @param {Limits} param @param {Control} control */
export function fault(param, control) {
  const { validity, value } = control;
  const limits = { given: value, low: param.minimum, high: param.maximum, step: param.step };
  if (validity.badInput) return t(`error.params.${param.whole ? "whole" : "number"}`, { given: value || "?" });
  if (validity.rangeUnderflow || validity.rangeOverflow) return t(`error.params.${param.maximum === null ? "least" : "range"}`, limits);
  if (validity.stepMismatch) return t(`error.params.${param.step > 1 ? "step" : "whole"}`, limits);
  return "";
}

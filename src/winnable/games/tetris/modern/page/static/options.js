// Keys, handling and looks: the person's own, kept by the browser.

import { letterAt } from "/static/base/keyboard.js";
import { recallObject, remember } from "/static/base/storage.js";
import { emit } from "./bus.js";
/** @import { Handling } from "./messages.js" */
/** @typedef {keyof typeof KEYS} ActionName */

/** The bits of the keys, as the server's puzzle has them. */
export const BITS = { left: 1, right: 2, soft: 4, hard: 8, cw: 16, ccw: 32, half: 64, hold: 128 };
/** Else the action is none of the game. @param {ActionName} action @returns {action is keyof typeof BITS} */
export const isGameKey = (action) => action in BITS;

const KEYS = {
  left: ["ArrowLeft"],
  right: ["ArrowRight"],
  soft: ["ArrowDown"],
  hard: ["Space"],
  cw: ["ArrowUp", "KeyX"],
  ccw: ["KeyZ"],
  half: ["KeyA"],
  hold: ["KeyC", "ShiftLeft"],
  pause: ["KeyP", "Escape"],
  restart: ["KeyR"],
  hint: ["KeyH"],
  sound: ["KeyM"],
};
export const ACTIONS = /** @type {ActionName[]} */ (Object.keys(KEYS));
/** The article's own keys: up turns, down goes faster, space pauses. @type {Partial<typeof KEYS>} */
const ARTICLE_KEYS = {
  left: ["ArrowLeft"],
  right: ["ArrowRight"],
  soft: ["ArrowDown"],
  cw: ["ArrowUp"],
  pause: ["Space", "KeyP", "Escape"],
  restart: ["KeyR"],
  hint: ["KeyH"],
  sound: ["KeyM"],
};
/** @type {Required<Handling>} */
const HANDLING = { das: 10, arr: 2, soft: 20 };
const LOOKS = { ghost: true, grid: true, letters: false, countdown: true, value: false, "value.bot": true };
/** @type {{ style: "attack" | "sprint" | "marathon", by: string, speed: number | "max" }} */
const BOT = { style: "attack", by: "article", speed: 1 };

/** Words that may stand for a number. @type {Record<string, unknown>} */
const WORDS = { soft: "instant", speed: "max" };

/** What is remembered counts where it is of the same kind as what it stands for.
 *  @template {Record<string, unknown>} T @param {string} name @param {T} fallback @returns {T} */
function kept(name, fallback) {
  const all = recallObject(name);
  /** @param {unknown} value */
  const kind = (value) => (Array.isArray(value) && value.every((one) => typeof one === "string") ? "names" : typeof value);
  const fits = Object.keys(fallback).filter((key) => kind(all[key]) === kind(fallback[key]) || (key in WORDS && WORDS[key] === all[key]));
  return { ...structuredClone(fallback), ...Object.fromEntries(fits.map((key) => [key, all[key]])) };
}

export const options = {
  keys: kept("arcade.keys", KEYS),
  handling: kept("arcade.handling", HANDLING),
  looks: kept("arcade.looks", LOOKS),
  bot: kept("arcade.bot", BOT),
};

/** @param {keyof typeof options} part */
export function keep(part) {
  remember(`arcade.${part}`, JSON.stringify(options[part]));
  emit("arcade-options", part);
}

export function resetOptions() {
  Object.assign(options, { keys: structuredClone(KEYS), handling: { ...HANDLING }, looks: { ...LOOKS }, bot: { ...BOT } });
  for (const part of /** @type {(keyof typeof options)[]} */ (Object.keys(options))) keep(part);
}

/** What a key does under the rules; undefined: nothing. @param {string} code @param {string} rules */
export function actionOf(code, rules) {
  const keys = rules === "article" ? ARTICLE_KEYS : options.keys;
  return ACTIONS.find((action) => keys[action]?.includes(code));
}

/** Gives a key to an action, in a slot of it; no other action keeps it.
 *  @param {ActionName} action @param {number} slot @param {string} code */
export function assign(action, slot, code) {
  for (const name of ACTIONS) options.keys[name] = options.keys[name].filter((other) => other !== code);
  options.keys[action][Math.min(slot, options.keys[action].length)] = code;
  keep("keys");
}

/** @type {Record<string, string>} */
const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", ShiftLeft: "Shift", ShiftRight: "Shift →", ControlLeft: "Ctrl", ControlRight: "Ctrl →" };

/** As it is printed on this keyboard, as far as the browser tells. @param {string} code */
export function keyName(code) {
  return SIGNS[code] ?? letterAt(code) ?? code.replace(/^Numpad/, "Num ");
}

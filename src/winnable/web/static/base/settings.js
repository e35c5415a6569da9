// What the browser remembers for the person. Storage may be forbidden: then nothing is remembered.

import { emit } from "./bus.js";

const PREFIX = "winnable.";
/** @type {Map<string, string>} */
const memory = new Map();

/** @typedef {{ lamp: boolean, motion: boolean, sound: boolean, hintAtOnce: boolean }} Switches */
/** @typedef {Switches & { theme: string }} Settings */

/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(PREFIX + name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

/** What was remembered as JSON; empty when that is no object. @param {string} name @returns {Record<string, unknown>} */
export function recallObject(name) {
  try {
    const kept = JSON.parse(recall(name) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // private mode: the choice holds until the page closes
  }
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const night = matchMedia("(prefers-color-scheme: dark)");

/** @type {Settings} */
export const settings = {
  /** Whether the verdict shows while the game is on. */
  lamp: recall("lamp") !== "off",
  /** Motion follows the system until the person has chosen. */
  motion: recall("motion") === null ? !calm.matches : recall("motion") === "on",
  /** Whether a hint is the action, and nothing less before. */
  hintAtOnce: recall("hintAtOnce") === "on",
  /** Nobody should be startled: sound is off until it is asked for. */
  sound: recall("sound") === "on",
  /** Light or dark; else as the system has it. */
  theme: recall("theme") ?? "system",
};

/** @param {keyof Switches} name @param {boolean} value */
export function change(name, value) {
  settings[name] = value;
  remember(name, value ? "on" : "off");
  apply();
}

/** @param {string} theme */
export function changeTheme(theme) {
  settings.theme = theme;
  remember("theme", theme);
  apply();
}

export function isDark() {
  return settings.theme === "system" ? night.matches : settings.theme === "dark";
}

export function apply() {
  document.documentElement.dataset.theme = settings.theme;
  document.documentElement.classList.toggle("still", !settings.motion);
  emit("settings", settings);
}

calm.addEventListener("change", () => {
  if (recall("motion") !== null) return;
  settings.motion = !calm.matches;
  apply();
});
night.addEventListener("change", apply);

// What the person has chosen for all pages: see storage.js.

import { media } from "./browser.js";
import { emit } from "./bus.js";
import { recall, remember } from "./storage.js";

/** @typedef {{ lamp: boolean, motion: boolean, sound: boolean, hintAtOnce: boolean }} Switches */
/** @typedef {Switches & { theme: string }} Settings */

const calm = media("(prefers-reduced-motion: reduce)");
const night = media("(prefers-color-scheme: dark)");

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

calm.onChange(() => {
  if (recall("motion") !== null) return;
  settings.motion = !calm.matches;
  apply();
});
night.onChange(apply);

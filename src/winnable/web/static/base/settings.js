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
  return parsed(recall(name) ?? "{}");
}

/** @param {string} text @returns {Record<string, unknown>} */
function parsed(text) {
  try {
    const kept = JSON.parse(text);
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
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

/** All that is remembered, by name. @returns {Record<string, string>} */
export function remembered() {
  try {
    const names = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
    return Object.fromEntries(names.map((name) => [name, recall(name) ?? ""]));
  } catch {
    return Object.fromEntries(memory);
  }
}

/** What is remembered by a name like this are bests: numbers, of which the greater one counts. */
const BESTS = /^stars$|\bbest$/;

/** Adds what another browser remembered; what was chosen here stays.
 *  @param {Record<string, string>} values */
export function addRemembered(values) {
  for (const [name, value] of Object.entries(values)) {
    if (recall(name) === null) remember(name, value);
    else {
      const [here, there] = [recallObject(name), parsed(value)];
      for (const [key, number] of Object.entries(there)) {
        if (!(key in here) || (BESTS.test(name) && Number(number) > Number(here[key]))) here[key] = number;
      }
      if (Object.keys(here).length) remember(name, JSON.stringify(here));
    }
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

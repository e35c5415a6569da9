// Which keys of the game are down: by keyboard and by touch. Each change goes to the server at once.

import { hold } from "/static/base/browser.js";
import { $, el, icon } from "/static/base/dom.js";
import { t } from "/static/base/i18n.js";
import { placeOf } from "/static/base/keyboard.js";
import { toggleSound } from "/static/base/sound.js";
import { askHint } from "./bot.js";
import { on } from "./bus.js";
import { again, togglePause } from "./flow.js";
import { actionOf, BITS, isGameKey } from "./options.js";
import { botPlays, cabinet, playing, rules, running, send } from "./state.js";
/** @import { Icon } from "/static/base/dom.js" */

/** Where each key is held: two keys, or a key and a finger, may hold the same one.
 *  @type {Map<string | Element, keyof typeof BITS>} */
const sources = new Map();
let told = 0;
const NUDGES = ["left", "right", "cw"];

function tell() {
  let held = 0;
  for (const action of sources.values()) held |= BITS[action];
  if (held === told) return;
  told = held;
  if (playing() || nudging()) send({ type: "keys", held });
}

/** In the article's automatic game these keys act too. */
const nudging = () => running() && botPlays() && rules() === "article";

function letGo() {
  sources.clear();
  tell();
}

/** @param {KeyboardEvent} event */
function onKeyDown(event) {
  // The browser's shortcuts stay its own, unless the person plays with that key.
  if (event.ctrlKey && !["ControlLeft", "ControlRight"].some((code) => actionOf(code, rules()))) return;
  if (event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]") || (event.target instanceof Element && event.target.closest("input, select, textarea"))) return;
  const place = placeOf(event);
  const action = actionOf(place, rules());
  if (!action || !cabinet.table) return;
  if (isGameKey(action)) {
    if (!playing() && !(nudging() && NUDGES.includes(action))) return;
    event.preventDefault();
    if (event.repeat) return;
    sources.set(place, action);
    tell();
    return;
  }
  event.preventDefault();
  if (event.repeat) return;
  if (action === "pause") togglePause();
  else if (action === "hint") askHint();
  else if (action === "sound") toggleSound();
  else again();
}

/** @param {KeyboardEvent} event */
function onKeyUp(event) {
  const place = placeOf(event);
  if ((playing() || nudging()) && actionOf(place, rules())) event.preventDefault();
  if (place.startsWith("Meta")) letGo(); // macOS tells of no other key's release while it is down
  else if (sources.delete(place)) tell();
}

/** Action, the rules that alone have it, picture. @type {[keyof typeof BITS, string, Icon?][]} */
const TOUCH = [
  ["hold", "guideline"],
  ["half", "guideline"],
  ["ccw", "guideline", "turn-left"],
  ["cw", "", "turn-right"],
  ["left", "", "left"],
  ["right", "", "right"],
  ["soft", "", "soft"],
  ["hard", "guideline", "drop"],
];

function mountTouch() {
  for (const [action, kind, picture] of TOUCH) {
    const label = el("span", { class: picture ? "sr-only" : "", "data-i18n": `arcade.key.${action}` }, t(`arcade.key.${action}`));
    const button = el("button", { type: "button", tabindex: "-1", class: kind, "data-testid": `touch-${action}` }, picture ? icon(picture) : null, label);
    /** @param {PointerEvent} event */
    const down = (event) => {
      event.preventDefault();
      hold(button, event);
      button.classList.add("down");
      sources.set(button, action);
      tell();
    };
    const up = () => {
      button.classList.remove("down");
      if (sources.delete(button)) tell();
    };
    button.addEventListener("pointerdown", down);
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, up);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    $("touch").append(button);
  }
}

export function mountHands() {
  mountTouch();
  addEventListener("keydown", onKeyDown);
  addEventListener("keyup", onKeyUp);
  addEventListener("blur", letGo);
  on("arcade-phase", (phase) => {
    told = 0;
    if (phase !== "playing") sources.clear();
  });
}

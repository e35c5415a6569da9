// Keys, handling and looks, in a dialog.

import { $, el, openDialog, sure } from "/static/base/dom.js";
import { t } from "/static/base/i18n.js";
import { isPlain, learnLetters, placeOf } from "/static/base/keyboard.js";
import { change, settings } from "/static/base/settings.js";
import { on } from "./bus.js";
import { rest } from "./flow.js";
import { ACTIONS, assign, keep, keyName, options, resetOptions } from "./options.js";
/** @import { ActionName } from "./options.js" */

const SLOTS = 2;
/** The button that waits for a key; null: none. */
let waiting = /** @type {{ action: ActionName, slot: number } | null} */ (null);

/** @param {"das" | "arr"} name @param {number} least @param {number} most @param {string} note */
function handlingField(name, least, most, note) {
  const input = el("input", { type: "number", inputmode: "numeric", min: least, max: most, value: options.handling[name], "data-testid": `handling-${name}` });
  input.addEventListener("change", () => {
    if (input.value && input.checkValidity()) {
      options.handling[name] = Number(input.value);
      keep("handling");
    } else input.value = String(options.handling[name]); // what is shown is what holds
  });
  return el("label", { class: "field" }, el("span", {}, note), input);
}

function softField() {
  const instant = options.handling.soft === "instant";
  const choice = el("select", { "data-testid": "handling-soft" }, ...[5, 10, 20, 40, 100].map((n) => el("option", { value: n }, `${n}×`)), el("option", { value: "instant" }, t("arcade.soft.instant")));
  choice.value = instant ? "instant" : String(options.handling.soft);
  choice.addEventListener("change", () => {
    options.handling.soft = choice.value === "instant" ? "instant" : Number(choice.value);
    keep("handling");
  });
  return el("label", { class: "field" }, el("span", {}, t("arcade.soft")), choice);
}

/** @param {string} label @param {string} name @param {boolean} checked @param {(value: boolean) => void} onchange */
function lookField(label, name, checked, onchange) {
  const box = el("input", { type: "checkbox", checked, "data-testid": `look-${name}` });
  box.addEventListener("change", () => onchange(box.checked));
  return el("label", {}, box, label);
}

/** @param {ActionName} action */
function bindingRow(action) {
  const codes = options.keys[action];
  const slots = Array.from({ length: SLOTS }, (_, slot) => {
    const label = `${t(`arcade.key.${action}`)} ${slot + 1}`;
    const button = el("button", { type: "button", "aria-label": t("list.pair", { name: label, value: codes[slot] ? keyName(codes[slot]) : "–" }), "data-testid": `bind-${action}-${slot}` }, codes[slot] ? keyName(codes[slot]) : "–");
    button.addEventListener("click", () => {
      if (waiting) draw();
      waiting = { action, slot };
      button.textContent = t("arcade.keys.press");
      button.classList.add("waiting");
    });
    return button;
  });
  return [el("span", {}, t(`arcade.key.${action}`)), el("div", { class: "slots" }, ...slots)];
}

function draw() {
  waiting = null;
  const { looks } = options;
  $("handling").replaceChildren(handlingField("das", 1, 60, t("arcade.das")), handlingField("arr", 0, 60, t("arcade.arr")), softField());
  const mine = /** @type {(keyof typeof looks)[]} */ (["ghost", "grid", "letters", "countdown", "value", "value.bot"]).map((name) =>
    lookField(t(`arcade.look.${name}`), name, looks[name], (value) => {
      looks[name] = value;
      keep("looks");
    }),
  );
  $("looks").replaceChildren(...mine, lookField(t("settings.motion"), "motion", settings.motion, (value) => change("motion", value)));
  $("bindings").replaceChildren(...ACTIONS.flatMap(bindingRow));
}

/** Before everything else: while a button waits, any key is its key, but for the browser's own shortcuts.
 *  @param {KeyboardEvent} event */
function onKeyDown(event) {
  const place = placeOf(event);
  if (!waiting || (!isPlain(event) && !/^(Control|Alt|Meta)/.test(place))) return;
  event.preventDefault();
  event.stopPropagation();
  const { action, slot } = waiting;
  if (!["Tab", "AltLeft", "AltRight", "MetaLeft", "MetaRight"].includes(place)) assign(action, slot, place);
  draw();
  document.querySelector(`[data-testid="bind-${action}-${slot}"]`)?.focus();
}

export function mountDialog() {
  addEventListener("keydown", onKeyDown, { capture: true });
  $("options").addEventListener("click", () => {
    rest();
    draw();
    openDialog($("options-dialog"));
  });
  $("options-reset").addEventListener("click", () => {
    resetOptions();
    draw();
  });
  on("language", draw);
  learnLetters().then(draw);
  for (const dialog of document.querySelectorAll("dialog")) {
    sure(dialog.querySelector(".close")).addEventListener("click", () => dialog.close());
    // A button of a closed dialog must not take the next key of the game.
    dialog.addEventListener("close", () => waiting && draw());
    dialog.addEventListener("cancel", (event) => waiting && event.preventDefault());
  }
}

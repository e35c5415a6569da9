// The start menu: which game, from which board, with which pieces.

import { media } from "/static/base/browser.js";
import { $, el, openDialog, setText, show, sure } from "/static/base/dom.js";
import { t } from "/static/base/i18n.js";
import { refusalText } from "/static/base/refusal.js";
import { recall, remember } from "/static/base/storage.js";
import { on } from "./bus.js";
import { rest, start } from "./flow.js";
import { loadReplay } from "./replay.js";
import { cabinet, showing } from "./state.js";
/** @import { Start } from "./messages.js" */
/** @import { Setup } from "./state.js" */

const MODES = ["sprint", "marathon", "zen", "endless", "article"];
/** @type {Record<string, number>} */
const LAST_LEVEL = { marathon: 15 };

/** Requests whose errors are said in the menu while it is open; "": one that could not even be read. */
export const IN_MENU = ["start", "load", ""];

const chosen = () => String(new FormData($("menu-form")).get("mode"));

function fields() {
  const mode = chosen();
  show($("field-lines"), mode === "sprint");
  for (const field of [$("field-level"), $("field-style")]) show(field, mode !== "article");
  show($("field-by"), mode === "article");
  $("menu-level").max = String(LAST_LEVEL[mode] ?? 20);
}

/** @param {string} text */
function complain(text) {
  setText($("menu-error"), text);
  show($("menu-error"), Boolean(text));
}

/** @param {Event} event */
function submit(event, withBot = false) {
  event.preventDefault();
  complain("");
  const mode = chosen();
  for (const input of [$("menu-lines"), $("menu-level")]) {
    const label = sure(input.closest("label"));
    if (!label.hidden && (!input.value || !input.checkValidity())) {
      complain(t("arcade.bad.number", { name: label.querySelector("span")?.textContent }));
      input.focus();
      return;
    }
  }
  const dice = $("menu-dice").value.trim();
  if (dice && !(/^\d{1,16}$/.test(dice) && Number.isSafeInteger(Number(dice)))) {
    complain(t("arcade.bad.number", { name: t("arcade.dice") }));
    $("menu-more").open = true;
    $("menu-dice").focus();
    return;
  }
  /** @type {Setup} */
  const setup = mode === "article" ? { mode: "endless", rules: "article" } : { mode: /** @type {Start["mode"]} */ (mode), start_level: Number($("menu-level").value) };
  if (mode === "sprint") setup.lines = Number($("menu-lines").value);
  if (dice) setup.dice = Number(dice);
  if ($("menu-fumen").value.trim()) setup.fumen = $("menu-fumen").value.trim();
  remember("arcade.mode", mode);
  start(setup, withBot);
}

export function openMenu() {
  if ($("menu").open) return;
  complain("");
  rest();
  show($("menu-back"), cabinet.table !== null && cabinet.seen?.status === "playing" && cabinet.frame > 0 && !showing());
  $("menu").showModal();
  $("menu").scrollTop = 0; // the button that has the focus is its lowest part
}

export function mountMenu() {
  const before = recall("arcade.mode");
  const mode = MODES.find((name) => name === before) ?? "sprint";
  for (const name of MODES) {
    $("modes").append(
      el(
        "label",
        { class: "mode", "data-testid": `mode-${name}` },
        el("input", { type: "radio", name: "mode", value: name, checked: name === mode }),
        el("strong", { "data-i18n": `arcade.mode.${name}` }, t(`arcade.mode.${name}`)),
        el("small", { "data-i18n": `arcade.mode.${name}.note` }, t(`arcade.mode.${name}.note`)),
      ),
    );
  }
  // Few want these, and on a phone they would push everything else out of sight.
  $("menu-more").open = media("(min-width: 641px)").matches;
  $("modes").addEventListener("change", fields);
  $("menu-form").addEventListener("submit", (event) => submit(event));
  $("menu-bot").addEventListener("click", (event) => submit(event, true));
  $("menu-back").addEventListener("click", () => $("menu").close());
  $("menu-options").addEventListener("click", () => openDialog($("options-dialog")));
  $("to-menu").addEventListener("click", openMenu);
  $("menu-file").addEventListener("change", async () => {
    const file = $("menu-file").files?.[0];
    $("menu-file").value = "";
    if (file) await loadReplay(file);
  });
  on("error", (event) => {
    if ($("menu").open && IN_MENU.includes(event.request)) complain(refusalText(event));
  });
  fields();
}

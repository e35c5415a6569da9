// The evaluation bar: what the bot thinks of the board, after each lock.

import { $, setText, show } from "/static/base/dom.js";
import { t } from "/static/base/i18n.js";
import { on } from "./bus.js";
import { options } from "./options.js";
import { botPlays, cabinet, rules, showing } from "./state.js";
/** @import { Appraise } from "./messages.js" */

/** A board of this value fills the bar to 37 percent (1/e). */
const SCALE = 50;
/** The style that the server was asked to value in; null: it was not. @type {string | null} */
let asked = null;

const isWanted = () => rules() === "guideline" && options.looks[botPlays() || (showing() && cabinet.byBot) ? "value.bot" : "value"];

function ask() {
  if (!cabinet.table) return;
  const style = isWanted() ? (cabinet.style ?? options.bot.style) : null;
  if (style === asked) return;
  if (style === null) onValue(null);
  if (cabinet.connection?.send({ type: "appraise", style: /** @type {Appraise["style"]} */ (style) })) asked = style;
}

/** @param {number | null} value */
function onValue(value) {
  const shown = value !== null && isWanted();
  show($("value"), shown);
  show($("value-row"), shown);
  if (!shown) return;
  const percent = Math.round(100 * Math.exp(Math.min(0, value) / SCALE));
  $("value-fill").style.height = `${percent}%`;
  $("value").setAttribute("aria-valuenow", percent);
  setText($("value-number"), value.toFixed(1));
}

export function mountValue() {
  // A new connection, and one whose game was taken, has not been asked.
  on("hello taken", () => {
    asked = null;
    onValue(null);
  });
  on("appraisal", ({ value }) => onValue(value));
  on("arcade-table arcade-bot arcade-options", ask);
  on("arcade-table arcade-bot language", () => {
    for (const part of [$("value"), $("value-row")]) part.title = t("arcade.value.note");
  });
}

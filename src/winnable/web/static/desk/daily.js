// A daily level is played without the lamp and without hints, until the player asks for them: then the game counts as
// helped, and its result says so.

import { el } from "../base/dom.js";
import { game, over, send } from "./game.js";
import { t } from "../base/i18n.js";
import { hush, say } from "./note.js";
import { settings } from "../base/settings.js";

/** Whether the machine keeps what it knows of the position to itself: also while it asks for the answer to a card. */
export function withheld() {
  return game.state !== null && (game.state.card === "open" || (game.state.day !== null && !over() && !game.state.helped));
}

/** Whether verdicts show while the game is on. */
export function lampShows() {
  return settings.lamp && !withheld();
}

/** Says why there is nothing, and what to do about it. */
export function offerHelp() {
  const allow = () => {
    hush();
    send({ type: "help" });
  };
  say(t("hint.withheld"), el("button", { type: "button", "data-testid": "hint-allow", onclick: allow }, t("hint.allow")));
}

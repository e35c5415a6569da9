// A daily level is played without the lamp and without hints, until the player asks for them: then the game counts as
// helped, and its result says so.

import { el } from "../base/dom.js";
import { game, over } from "./game.js";
import { t } from "../base/i18n.js";
import { hush, say } from "./note.js";
import { settings } from "../base/settings.js";
import { gotHelp, helped } from "./stars.js";

/** Whether the machine keeps what it knows of the position to itself. */
export function withheld() {
  return game.state !== null && game.state.day !== null && !over() && !helped(game.state);
}

/** Whether verdicts show while the game is on. */
export function lampShows() {
  return settings.lamp && !withheld();
}

/** Says why there is nothing, and what to do about it. */
export function offerHelp() {
  const allow = () => {
    hush();
    gotHelp();
  };
  say(t("hint.withheld"), el("button", { type: "button", "data-testid": "hint-allow", onclick: allow }, t("hint.allow")));
}

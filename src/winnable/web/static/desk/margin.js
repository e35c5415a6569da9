// Beside the lamp: how many of the legal moves still win, and what a person may hope for who does not see all.

import { on } from "../base/bus.js";
import { compiling } from "../base/compiling.js";
import { $, el, setText, show } from "../base/dom.js";
import { lampShows } from "./daily.js";
import { firstUse } from "./first.js";
import { endless, game, over, verdictNow } from "./game.js";
import { number, t, tn } from "../base/i18n.js";
import { methodName } from "./methods.js";
import { announce } from "../base/notify.js";
/** @import { MarginEvent, Margin, Share } from "../base/messages.js" */

/** @type {MarginEvent | null} */
let heard = null;

/** told: to somebody who hears it without what stands beside.
 *  @param {"wins" | "fewest" | "fewest.told"} what @param {Share} share @param {Margin} margin */
function sentence(what, { yes, open }, { legal }) {
  const n = open ? t("margin.least", { n: number(yes) }) : number(yes);
  return tn(`margin.${what}`, yes, { n, legal: number(legal) });
}

/** What counts most: winning, and where every move still does, the fewest. @param {Margin} margin @returns {["wins" | "fewest", Share] | null} */
function first({ legal, wins, fewest }) {
  if (wins && (!fewest || wins.yes < legal)) return ["wins", wins];
  return fewest && ["fewest", fewest];
}

/** @param {Margin} margin */
const sentences = (margin) => [margin.wins && sentence("wins", margin.wins, margin), margin.fewest && sentence("fewest.told", margin.fewest, margin)].filter((words) => words !== null);

/** @param {number} share */
const percent = (share) => `${number(Math.round(share * 100))} %`;

/** @param {MarginEvent} event @param {"margin.chance" | "margin.chance.long"} key */
function chanceWords({ chance }, key) {
  if (!chance) return "";
  const { player, won, games, low, high } = chance;
  return t(key, { player: methodName(player), share: percent(won / games), low: percent(low), high: percent(high), games: number(games) });
}

/** One that is about what is on the board. */
function current() {
  const { state } = game;
  return heard && state && heard.session === state.session && heard.ply === state.ply ? heard : null;
}

function draw() {
  const { state } = game;
  if (!state || game.flying) return;
  const wanted = lampShows() && !over() && !endless() && verdictNow() !== "lost" && !compiling() && !firstUse();
  const event = current();
  const shown = event && first(event.margin);
  const button = $("margin");
  show(button, wanted && (shown !== null || (heard?.session === state.session && first(heard.margin) !== null)));
  button.dataset.waits = String(!shown);
  if (!wanted || !shown) $("margin-words").hidePopover();
  if (!event || !shown) return;
  const [what, { yes, open }] = shown;
  const { legal } = event.margin;
  setText($("margin-long"), sentence(what, shown[1], event.margin));
  setText($("margin-short"), t(open ? "margin.short.least" : "margin.short", { n: number(yes), legal: number(legal) }));
  setText($("margin-chance"), chanceWords(event, "margin.chance"));
  button.style.setProperty("--yes", `${(100 * yes) / legal}%`);
  button.style.setProperty("--known", `${100 * (1 - open / legal)}%`);
  button.dataset.done = String(event.done);
  button.dataset.ply = String(event.ply);
  const words = [...sentences(event.margin), chanceWords(event, "margin.chance.long")].filter(Boolean);
  $("margin-words").replaceChildren(...words.map((text) => el("p", {}, text)));
}

/** @param {MarginEvent} event */
function onMargin(event) {
  if (event.session !== game.state?.session || event.ply !== game.state.ply) return;
  const news = event.done && !current()?.done;
  heard = event;
  draw();
  if (news && lampShows() && !over() && !firstUse()) announce(sentences(event.margin).join(t("list.comma")));
}

function onState() {
  if (heard && heard.session !== game.state?.session) heard = null;
  else if (heard) heard = { ...heard, ply: -1, done: false };
  draw();
}

export function mountMargin() {
  on("margin", onMargin);
  on("state", onState);
  on("lamp helped settings language landed compiling", draw);
}

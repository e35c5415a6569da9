// Changing the level on the board so that it can be won: what comes of it is a new game.

import { on } from "../base/bus.js";
import { $, redraw, show, sure } from "../base/dom.js";
import { lampShows } from "./daily.js";
import { game, gameInfo, over, send, verdictNow } from "./game.js";
import { blameSetting, methodButton, settingsFit, settingsOf, showSettings, stageText } from "./methods.js";
import { toast } from "../base/notify.js";
import { randomSeed } from "./newgame.js";
import { refusalWords } from "../base/refusal.js";
import { toggle, watching } from "./watch.js";
/** @import { ProgressEvent } from "../base/messages.js" */

/** told: what was said last of the repair under way. opened: the method whose settings are shown. */
const repair = { told: "", running: false, opened: /** @type {string | null} */ (null) };

/** @param {string | null} name */
const methodNamed = (name) => gameInfo()?.repairs.find((method) => method.name === name);

/** @param {string} name */
function start(name) {
  if (!game.state || game.flying || (repair.opened === name && !settingsFit($("repair-settings")))) return;
  const method = sure(methodNamed(name));
  if (watching()) toggle(false);
  const settings = settingsOf(game.state.game, method);
  const seconds = Number($("solve-seconds").value) || 60;
  if (send({ type: "repair", method: name, settings, seconds, seed: randomSeed() })) Object.assign(repair, { running: true, told: "" });
}

/** @param {string} name */
function open(name) {
  repair.opened = repair.opened === name ? null : name;
  draw();
}

/** A level is repaired that cannot be won, or is lost on the board; not where that would be news. */
function place() {
  const isLost = game.history.known.lost === 0 || verdictNow() === "lost";
  show($("repair-panel"), repair.running || (isLost && (lampShows() || over()) && Boolean(gameInfo()?.repairs.length)));
}

function draw() {
  const repairs = gameInfo()?.repairs ?? [];
  place();
  redraw($("repair-methods"), ...repairs.map((method) => methodButton(method, "repair", repair.opened, "tool-shuffle", start, open)));
  if (repairs.length) showSettings($("repair-settings"), gameInfo()?.name, methodNamed(repair.opened));
}

/** @param {ProgressEvent} progress */
function onProgress(progress) {
  if (!repair.running) return;
  repair.told = stageText(progress);
  $("opening-text").textContent = repair.told;
}

function onState() {
  if (repair.running && repair.told) toast(repair.told);
  repair.running = false;
}

export function mountRepair() {
  on("hello language", draw);
  /** @type {string | null} */
  let shown = null;
  on("state", ({ game: name }) => {
    onState();
    place();
    if (name === shown) return;
    shown = name;
    repair.opened = null;
    draw();
  });
  on("verdicts helped settings landed", place);
  on("progress", onProgress);
  on("connection", () => (repair.running = false));
  on("error", (event) => {
    if (event.request !== "repair") return;
    repair.running = false;
    blameSetting($("repair-settings"), event.field, refusalWords(event, gameInfo()));
  });
}

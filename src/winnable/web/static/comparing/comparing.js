// Comparisons: start one, see its rows grow, stop it, take the rows along. The server plays; it stops when the page leaves.

import { on } from "../base/bus.js";
import { drawCompiling } from "../base/compiling.js";
import { $, download, openDialog, redraw, setText, show, sure } from "../base/dom.js";
import { number, t } from "../base/i18n.js";
import { toast } from "../base/notify.js";
import { refusalText, refusalWords } from "../base/refusal.js";
import { game, gameInfo, send } from "../desk/game.js";
import { copy } from "../desk/share.js";
import { blame, info as formInfo, mountForm, onRuns, redrawForm, request, say, showForm } from "./form.js";
import { asCsv, asJson, commandOf, nowWords, tableParts, wordsBelow } from "./table.js";
/** @import { Compare, ErrorEvent, Standings } from "../base/messages.js" */

/** So often a screen reader hears how far it is, at the most. */
const PARTS = 4;
/** asked: what is compared. told: the last that the server said of it. heard: parts that were announced. lost: with the
 *  connection. */
const view = {
  asked: /** @type {Compare | null} */ (null),
  told: /** @type {Standings | null} */ (null),
  running: false,
  heard: 0,
  lost: false,
};

export const openCompare = () => open();

/** here: on the level on the board. */
function open(here = false) {
  const dialog = $("compare-dialog");
  if (dialog.open || !game.hello) return;
  showForm(here && !view.running);
  openDialog(dialog);
  draw();
}

/** @param {Event} event */
function start(event) {
  event.preventDefault();
  const asked = view.running ? null : request();
  if (!asked || !send(asked)) return;
  Object.assign(view, { asked, told: null, running: true, heard: 0, lost: false });
  draw();
  $("compare-result").scrollIntoView({ block: "nearest" });
}

const stageWords = () => {
  const { played = 0, games = 0, stage = "waiting" } = view.told ?? {};
  return t(`compare.stage.${view.lost ? "lost" : stage}`, { played: number(played), games: number(games) });
};

/** @param {Standings} told */
function onStandings(told) {
  view.told = told;
  view.running = ["waiting", "playing"].includes(told.stage);
  const part = Math.floor(PARTS * told.played / told.games);
  if (!view.running || part > view.heard) {
    view.heard = part;
    setText($("compare-heard"), stageWords());
  }
  if (!view.running && !$("compare-dialog").open) toast(t("list.pair", { name: t("compare.heading"), value: stageWords() }));
  draw();
}

/** @param {ErrorEvent} event */
function onError(event) {
  if (event.request !== "compare") return;
  view.running = false;
  if (!view.told?.rows.length) view.told = view.asked = null;
  blame(event.field, refusalWords(event, formInfo()), refusalText(event, formInfo()));
  draw();
}

/** @param {boolean} connected */
function onConnection(connected) {
  if (connected || !view.running) return;
  Object.assign(view, { running: false, lost: true });
  draw();
}

function draw() {
  const { asked, told, running } = view;
  for (const button of [$("compare"), $("compare-here")]) {
    button.classList.toggle("busy", running);
    button.setAttribute("aria-busy", running);
    button.disabled = !game.hello;
  }
  if (!$("compare-dialog").open) return;
  $("compare-start").disabled = running;
  show($("compare-stop"), running);
  show($("compare-result"), asked !== null);
  if (!asked) return;
  const info = sure(gameInfo(asked.game));
  setText($("compare-told"), [stageWords(), told && running && nowWords(told, info)].filter(Boolean).join(" · "));
  $("compare-told").classList.toggle("busy-line", running);
  show($("compare-progress"), running);
  $("compare-progress").value = told ? told.played / told.games : 0;
  drawCompiling($("compare-compiling"), asked.game, running);
  const rows = told?.rows ?? [];
  show($("compare-box"), rows.length > 0);
  if (told && rows.length) redraw($("compare-table"), ...tableParts(told, asked, info));
  setText($("compare-words"), told ? wordsBelow(told, asked.seconds ?? 0) : "");
  $("compare-command").value = commandOf(asked);
  for (const button of [$("compare-csv"), $("compare-json")]) button.disabled = !rows.length;
}

/** @param {string} kind @param {string | Blob} content */
const save = (kind, content) => download(`compare-${sure(view.asked).game}.${kind}`, content);
const rowsNow = () => view.told?.rows ?? [];

export function mountComparing() {
  mountForm();
  on("standings", onStandings);
  on("error", onError);
  on("connection", onConnection);
  on("compiling", draw);
  on("runs", ({ runs }) => onRuns(runs));
  on("hello language", () => {
    redrawForm();
    draw();
  });
  $("compare").addEventListener("click", openCompare);
  $("compare-here").addEventListener("click", () => open(true));
  $("compare-form").addEventListener("submit", start);
  $("compare-form").addEventListener("input", () => say(""));
  $("compare-stop").addEventListener("click", () => send({ type: "compare_stop" }));
  $("compare-copy").addEventListener("click", () => copy(commandOf(sure(view.asked)), "compare.command.copied"));
  $("compare-json").addEventListener("click", () => save("json", asJson(rowsNow())));
  $("compare-csv").addEventListener("click", () => save("csv", new Blob([asCsv(rowsNow())], { type: "text/csv" })));
}

// All that the user has, as one file: what the server keeps, and what this browser alone remembers.

import { $, download, setText } from "../base/dom.js";
import { number, t } from "../base/i18n.js";
import { refusalText } from "../base/refusal.js";
import { addRemembered, remembered } from "../base/storage.js";
import { exchange } from "../base/host.js";
import { send } from "../desk/game.js";
/** @import { ErrorEvent } from "../base/messages.js" */

/** What the server says that it took in; see `archive.TakenIn`.
 *  @typedef {{ games: number, merged: number, left_out: number, results: number, runs: number, cards: number, sets: number, passed: number, settings: Record<string, string> }} TakenIn */

/** What the server answers; throws what else it says. @param {RequestInit} [request] */
async function data(request) {
  const answer = await exchange(request);
  if (!answer.ok) {
    const isOurs = answer.headers.get("Content-Type") === "application/json";
    throw new Error(isOurs ? refusalText(/** @type {ErrorEvent} */ (await answer.json())) : await answer.text());
  }
  return answer;
}

/** @param {object} record */
function zipped(record) {
  const line = new Blob([`${JSON.stringify(record)}\n`]);
  return new Response(line.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

async function out() {
  const answer = await data();
  // Two gzip files end to end are one.
  const parts = [await answer.blob(), await zipped({ kind: "settings", values: remembered() })];
  // Which day it is, the server knows.
  const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "winnable.json.gz";
  download(name, new Blob(parts, { type: "application/gzip" }));
  const passed = Number(answer.headers.get("Winnable-Passed"));
  if (passed) setText($("data-told"), t("data.unread", { n: number(passed) }));
}

/** @param {File} file */
async function takeIn(file) {
  const answer = await data({ method: "POST", body: file });
  const found = /** @type {TakenIn | ErrorEvent} */ (await answer.json());
  if ("type" in found) throw new Error(refusalText(found));
  const { settings, games, merged, results, runs, cards, sets, left_out: left, passed } = found;
  addRemembered(settings);
  const told = t("data.told", { games: number(games), merged: number(merged), results: number(results), cards: number(cards), runs: number(runs), sets: number(sets) });
  setText($("data-told"), [told, left ? t("data.left_out", { n: number(left) }) : "", passed ? t("data.passed", { n: number(passed) }) : ""].filter(Boolean).join(" "));
  send({ type: "played" });
}

/** @param {Promise<unknown>} work */
async function telling(work) {
  setText($("data-told"), "");
  try {
    await work;
  } catch (error) {
    setText($("data-told"), t("data.failed", { reason: error instanceof Error ? error.message : String(error) }));
  }
}

$("data-out").addEventListener("click", () => telling(out()));
$("data-in").addEventListener("change", () => {
  const file = $("data-in").files?.[0];
  if (file) telling(takeIn(file));
  $("data-in").value = "";
});

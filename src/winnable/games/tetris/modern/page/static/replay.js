// Watching a game again, its file, and the board as a fumen string.

import { copyText } from "/static/base/browser.js";
import { $, download, el, setText, show } from "/static/base/dom.js";
import { t } from "/static/base/i18n.js";
import { toast } from "/static/base/notify.js";
import { on } from "./bus.js";
import { cabinet, send, showing } from "./state.js";
/** @import { FumenEvent } from "./messages.js" */

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const MAX_CONTENT = 4_000_000;

export const saveReplay = () => send({ type: "save" });
export const copyBoard = () => send({ type: "copy" });

/** @param {File} file */
export async function loadReplay(file) {
  if (file.size > MAX_CONTENT) toast(t("arcade.load.large"), "error");
  else send({ type: "load", content: await file.text() });
}

/** @param {FumenEvent} event */
async function onFumen({ text }) {
  toast((await copyText(text)) ? t("arcade.copied") : text);
}

function play() {
  if (cabinet.phase === "over") send({ type: "watch" });
  send({ type: cabinet.phase === "playing" ? "pause" : "go" });
}

function draw() {
  show($("film"), showing());
  if (!showing()) return;
  $("film-bar").max = Math.max(1, cabinet.table?.length ?? 0);
  $("film-bar").value = cabinet.frame;
  setText($("film-play"), t(cabinet.phase === "playing" ? "arcade.pause" : "arcade.film.play"));
}

export function mountReplay() {
  $("film-speed").append(...SPEEDS.map((times) => el("option", { value: times }, `${times}×`)));
  $("film-speed").value = "1";
  $("film-speed").addEventListener("change", () => send({ type: "speed", times: Number($("film-speed").value) }));
  $("film-play").addEventListener("click", play);
  $("film-leave").addEventListener("click", () => send({ type: "leave" }));
  on("arcade-table", ({ length }) => {
    draw();
    if (length === null || cabinet.phase !== "paused") return;
    send({ type: "speed", times: Number($("film-speed").value) });
    if (cabinet.frame === 0) send({ type: "go" });
  });
  on("arcade-phase arcade-seen language", () => cabinet.table && draw());
  on("file", ({ name, content }) => download(name, content));
  on("fumen", onFumen);
}

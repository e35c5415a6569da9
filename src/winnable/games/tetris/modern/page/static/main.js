// The arcade's page: joins connection, board, keys and dialogs. The rules are on the server; see
// protocol.py of the folder above for what is said.

import { setAddress } from "/static/base/browser.js";
import { Connection } from "/static/base/connection.js";
import { $, el, sure } from "/static/base/dom.js";
import { currentLanguage, LANGUAGES, preferredLanguage, t, useLanguage } from "/static/base/i18n.js";
import { toast } from "/static/base/notify.js";
import { drawOffline } from "/static/base/offline.js";
import { refusalText } from "/static/base/refusal.js";
import { apply } from "/static/base/settings.js";
import { recall, remember } from "/static/base/storage.js";
import { mountTheme } from "/static/base/theme.js";
import { mountBot } from "./bot.js";
import { emit, on } from "./bus.js";
import { mountDialog } from "./dialog.js";
import { mountFlow, start } from "./flow.js";
import { mountHands } from "./hands.js";
import { mountHud } from "./hud.js";
import { IN_MENU, mountMenu, openMenu } from "./menu.js";
import { keep, options } from "./options.js";
import { mountPaint } from "./paint.js";
import { mountReplay } from "./replay.js";
import { mountSound } from "./sound.js";
import { cabinet, onBot, onFrame, onHint, onPhase, onTable, send } from "./state.js";
import { mountValue } from "./value.js";
/** @import { ErrorEvent } from "./messages.js" */

const SESSION = /^[0-9a-f]{32}$/;

/** Lets the weights play that the address names; else goes on with the game that this browser played last. */
function onHello() {
  const by = /^#by=(run:[0-9a-f]+)$/.exec(location.hash)?.[1];
  if (by && !cabinet.taken) {
    setAddress("replaceState", null, location.pathname);
    options.bot.by = by;
    keep("bot");
    start({ mode: "endless", rules: "article" }, true);
    return;
  }
  const session = [location.hash.slice(1), recall("arcade.session") ?? ""].find((id) => SESSION.test(id));
  if (session && !cabinet.taken) send({ type: "open", session });
  else openMenu();
}

/** There is no game here any more. @param {boolean} taken */
function standUp(taken) {
  Object.assign(cabinet, { table: null, style: null, taken });
  onPhase({ phase: "paused" });
}

/** @param {ErrorEvent} event */
function onError(event) {
  const { request } = event;
  if (request === "open") {
    // Kept no more: start like on a first visit.
    setAddress("replaceState", null, location.pathname);
    remember("arcade.session", "");
    standUp(false);
    openMenu();
  }
  if (!IN_MENU.includes(request) || !$("menu").open) toast(refusalText(event), "error");
}

/** It stays with the other tab, also when the connection comes back. */
function onTaken() {
  standUp(true);
  toast(t("arcade.taken"), "warning");
  openMenu();
}

function mountHeader() {
  const select = $("language");
  select.append(...Object.entries(LANGUAGES).map(([value, name]) => el("option", { value, lang: value }, name)));
  select.value = currentLanguage();
  select.addEventListener("change", () => useLanguage(select.value, true).catch((error) => toast(String(error), "error")));
  on("language", () => {
    document.title = `${t("page.arcade")} · winnable`;
  });
}

function connect() {
  cabinet.connection = new Connection({
    page: "arcade",
    onEvent: (event) => emit(event.type, event),
    onStatus: (connected, code) => {
      drawOffline(connected, code);
      if (!connected && cabinet.table) onPhase({ phase: cabinet.phase === "over" ? "over" : "paused" });
    },
  });
  $("reconnect").addEventListener("click", () => sure(cabinet.connection).retry());
}

await useLanguage(preferredLanguage());
on("hello", (hello) => Object.assign(cabinet, { hello, shapes: hello.shapes }));
for (const mount of [mountHeader, mountTheme, mountPaint, mountHud, mountFlow, mountHands, mountReplay, mountSound, mountBot, mountValue, mountMenu, mountDialog]) mount();
on("hello", onHello);
on("table", onTable);
on("frame", onFrame);
on("phase", onPhase);
on("bot", onBot);
on("hint", onHint);
on("taken", onTaken);
on("error", onError);
apply();
emit("language", currentLanguage());
connect();

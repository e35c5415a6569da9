// What the page knows of the game on the server, and how it asks for more.

import { sure } from "/static/base/dom.js";
import { toast } from "/static/base/notify.js";
import { t } from "/static/base/i18n.js";
import { emit } from "./bus.js";
/** @import { Frame, Hello, Hint, PageRequest, ServerEvent, Start, Table } from "./messages.js" */
/** @import { Events, Observation } from "./views.js" */
/** @import { Connection } from "/static/base/connection.js" */
/** @typedef {Omit<Start, "type" | "handling">} Setup */

export const cabinet = {
  connection: /** @type {Connection<PageRequest, ServerEvent> | null} */ (null),
  /** Pieces by letter, each with its four turns as cells (x, y up). */
  shapes: /** @type {Hello["shapes"]} */ ({}),
  /** The first event: who may play the article's game. */
  hello: /** @type {Hello | null} */ (null),
  /** The last `table`; null: there is no game yet. */
  table: /** @type {Table | null} */ (null),
  /** The view with all changes since; null: there is no game yet. */
  seen: /** @type {Observation | null} */ (null),
  frame: 0,
  /** When the frame came: the time goes on from there. */
  came: 0,
  phase: /** @type {Table["phase"]} */ ("paused"),
  /** Of the bot that plays; null: the person plays. */
  style: /** @type {string | null} */ (null),
  /** The bot played some of what is seen. */
  byBot: false,
  /** The bot's plan for the piece in play; null: none. */
  hint: /** @type {Hint | null} */ (null),
  /** Another tab has the game. */
  taken: false,
  /** The request that started the game, for "again". */
  setup: /** @type {Setup | null} */ (null),
};

export const showing = () => cabinet.table !== null && cabinet.table.length !== null;
/** A game goes on, whoever plays it. */
export const running = () => cabinet.phase === "playing" && !showing();
export const botPlays = () => cabinet.table !== null && cabinet.style !== null && !showing();
export const playing = () => running() && !botPlays();
export const rules = () => cabinet.table?.level.rules ?? "guideline";

/** @param {PageRequest} request */
export function send(request) {
  const sent = cabinet.connection?.send(request) ?? false;
  if (!sent && request.type !== "keys") toast(t("connection.none"), "warning");
  return sent;
}

/** @param {Table} table */
export function onTable(table) {
  Object.assign(cabinet, { table, seen: { ...table.seen }, frame: table.frame, came: performance.now(), phase: table.phase, style: table.style, byBot: table.by_bot, hint: null, taken: false });
  document.body.dataset.rules = table.level.rules;
  emit("arcade-table", table);
  emit("arcade-phase", cabinet.phase);
}

/** @param {Frame} frame */
export function onFrame({ frame, seen, events }) {
  if (!cabinet.table) return;
  Object.assign(sure(cabinet.seen), seen);
  cabinet.frame = frame;
  cabinet.came = performance.now();
  const { hint } = cabinet;
  // It is for this piece only, or for the one that comes for it.
  if (hint && (seen.placed !== undefined || (events.some(({ held }) => held) && hint.path[0] !== "hold"))) onHint(null);
  for (const event of events) emit("arcade-event", /** @type {Events} */ (event));
  emit("arcade-seen", seen);
}

/** @param {{ phase: Table["phase"] }} event */
export function onPhase({ phase }) {
  cabinet.phase = phase;
  cabinet.came = performance.now();
  emit("arcade-phase", phase);
}

/** @param {{ style: string | null, by_bot: boolean }} event */
export function onBot({ style, by_bot: byBot }) {
  Object.assign(cabinet, { style, byBot, hint: null });
  emit("arcade-bot", style);
}

/** Too late when the piece has locked or was held. @param {Hint | null} hint */
export function onHint(hint) {
  const { seen } = cabinet;
  const fits = hint && seen && hint.placed === seen.placed && (hint.path[0] === "hold" || hint.piece === seen.piece);
  cabinet.hint = fits ? hint : null;
  emit("arcade-hint", cabinet.hint);
}

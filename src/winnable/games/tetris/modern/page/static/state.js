// What the page knows of the game on the server, and how it asks for more.

import { emit } from "/static/base/bus.js";
import { toast } from "/static/base/notify.js";
import { t } from "/static/base/i18n.js";

export const cabinet = {
  connection: null,
  /** Pieces by letter, each with its four turns as cells (x, y up). */
  shapes: {},
  /** The first event: who may play the article's game. */
  hello: null,
  /** The last `table`; null: there is no game yet. */
  table: null,
  /** The view with all changes since. */
  seen: null,
  frame: 0,
  /** When the frame came: the time goes on from there. */
  came: 0,
  phase: "paused",
  /** Of the bot that plays; null: the person plays. */
  style: null,
  /** The bot played some of what is seen. */
  byBot: false,
  /** The bot's plan for the piece in play; null: none. */
  hint: null,
  /** Another tab has the game. */
  taken: false,
  /** The request that started the game, for "again". */
  setup: null,
};

export const showing = () => cabinet.table !== null && cabinet.table.length !== null;
/** A game goes on, whoever plays it. */
export const running = () => cabinet.phase === "playing" && !showing();
export const botPlays = () => cabinet.table !== null && cabinet.style !== null && !showing();
export const playing = () => running() && !botPlays();
export const rules = () => cabinet.table?.level.rules ?? "guideline";

export function send(request) {
  const sent = cabinet.connection?.send(request) ?? false;
  if (!sent && request.type !== "keys") toast(t("connection.none"), "warning");
  return sent;
}

export function onTable(table) {
  Object.assign(cabinet, { table, seen: { ...table.seen }, frame: table.frame, came: performance.now(), phase: table.phase, style: table.style, byBot: table.by_bot, hint: null, taken: false });
  document.body.dataset.rules = table.level.rules;
  emit("arcade-table", table);
  emit("arcade-phase", cabinet.phase);
}

export function onFrame({ frame, seen, events }) {
  if (!cabinet.table) return;
  Object.assign(cabinet.seen, seen);
  cabinet.frame = frame;
  cabinet.came = performance.now();
  const { hint } = cabinet;
  // It is for this piece only, or for the one that comes for it.
  if (hint && (seen.placed !== undefined || (events.some(({ held }) => held) && hint.path[0] !== "hold"))) onHint(null);
  for (const event of events) emit("arcade-event", event);
  emit("arcade-seen", seen);
}

export function onPhase({ phase }) {
  cabinet.phase = phase;
  cabinet.came = performance.now();
  emit("arcade-phase", phase);
}

export function onBot({ style, by_bot: byBot }) {
  Object.assign(cabinet, { style, byBot, hint: null });
  emit("arcade-bot", style);
}

/** Too late when the piece has locked or was held. */
export function onHint(hint) {
  const { seen } = cabinet;
  const fits = hint && hint.placed === seen.placed && (hint.path[0] === "hold" || hint.piece === seen.piece);
  cabinet.hint = fits ? hint : null;
  emit("arcade-hint", cabinet.hint);
}

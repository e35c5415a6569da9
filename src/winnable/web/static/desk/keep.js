// Saving to files, and the games that the server keeps.

import { on } from "../base/bus.js";
import { $, download, el, icon, redraw } from "../base/dom.js";
import { game, send } from "./game.js";
import { ago, number, t } from "../base/i18n.js";
import { levelWords } from "./names.js";
import { recallObject, remember } from "../base/storage.js";
/** @import { SessionInfo, State } from "../base/messages.js" */

const MOST_SHOWN = 12;
const MOST_REMEMBERED = 200;
const KEY = "sessions";
/** @type {SessionInfo[]} */
let sessions = [];

/** The ids of the games that this browser has opened, in their order: the server keeps those of all. */
function opened() {
  return Object.keys(recallObject(KEY));
}

/** @param {string} session */
function own(session) {
  const ids = [...opened().filter((id) => id !== session), session].slice(-MOST_REMEMBERED);
  remember(KEY, JSON.stringify(Object.fromEntries(ids.map((id) => [id, 1]))));
}

/** The newest first. */
export function ownSessions() {
  const ids = new Set(opened());
  return sessions.filter(({ session }) => ids.has(session));
}

/** The server lists them on connecting and after `forget`; in between the page follows its own game.
 *  @param {State} state */
function onState({ card, session, level_id, day, ply, standing }) {
  if (card !== null) return;
  if (opened().at(-1) !== session) own(session);
  const known = sessions.find((info) => info.session === session);
  // Coming back to a game is no change of it, and the list says when it last changed.
  const same = known && known.ply === ply && known.standing === standing;
  const updated = same ? known.updated : Date.now() / 1000;
  sessions = [{ session, level_id, day, ply, standing, updated }, ...sessions.filter((info) => info.session !== session)];
  draw();
}

/** @param {SessionInfo} info */
function row(info) {
  const { session, ply, standing, updated } = info;
  const here = session === game.state?.session;
  const words = levelWords(info);
  const name = [words.game, words.level].filter(Boolean).join(" · ");
  const facts = [t(`standing.${standing}`), t("sessions.ply", { n: number(ply) }), ago(updated)];
  const open = el("button", { class: "session", type: "button", disabled: here, "data-testid": "session-open", "data-session": session, onclick: () => send({ type: "open", session }) },
    el("span", { class: "session-name" }, name), el("small", {}, here ? t("sessions.here") : facts.join(" · ")));
  const forget = here ? null : el("button", { class: "quiet square", type: "button", "data-testid": "session-forget", "aria-label": t("sessions.forget", { name }), title: t("sessions.forget", { name }), onclick: () => send({ type: "forget", session }) }, icon("trash"));
  return el("li", { "data-key": session, "aria-current": here ? "true" : null }, open, forget);
}

function draw() {
  redraw($("sessions"), ...ownSessions().slice(0, MOST_SHOWN).map(row));
}

export function mountKeep() {
  on("hello sessions", (event) => {
    sessions = event.sessions;
    draw();
  });
  on("state", onState);
  on("language", draw);
  on("file", ({ name, content }) => download(name, content));
  $("save-game").addEventListener("click", () => send({ type: "save", what: "session" }));
  $("save-level").addEventListener("click", () => send({ type: "save", what: "level" }));
}

// How long the game on the board has been played; a reload goes on where it was, as far as the browser remembers.

import { on } from "../base/bus.js";
import { recallHere, rememberHere } from "../base/storage.js";

/** @type {Map<string, number>} */
const started = new Map();

/** Seconds, of a session that this page has seen; until its end when it is over. @param {string} session */
export function playSeconds(session) {
  return ((started.get(`${session}/end`) ?? Date.now()) - (started.get(session) ?? Date.now())) / 1000;
}

on("state", ({ session, standing }) => {
  if (!started.has(session)) {
    const kept = Number(recallHere(session));
    const begun = kept || Date.now();
    started.set(session, begun);
    rememberHere(session, String(begun));
  }
  if (standing === "playing") started.delete(`${session}/end`);
  else if (!started.has(`${session}/end`)) started.set(`${session}/end`, Date.now());
});

// How long the game on the board has been played; a reload goes on where it was, as far as the browser remembers.

import { on } from "../base/bus.js";

const started = new Map();

/** Seconds, of a session that this page has seen; until its end when it is over. */
export function playSeconds(session) {
  return ((started.get(`${session}/end`) ?? Date.now()) - started.get(session)) / 1000;
}

on("state", ({ session, standing }) => {
  if (!started.has(session)) {
    const kept = Number(sessionStorage.getItem(session));
    started.set(session, kept || Date.now());
    sessionStorage.setItem(session, started.get(session));
  }
  if (standing === "playing") started.delete(`${session}/end`);
  else if (!started.has(`${session}/end`)) started.set(`${session}/end`, Date.now());
});

// How games begin, pause, go on and end: the countdown, and the cover over the board.

import { copyText, handOn, hasShare, setAddress } from "/static/base/browser.js";
import { $, el, setText, show, sure } from "/static/base/dom.js";
import { clock, number, t } from "/static/base/i18n.js";
import { announce, toast } from "/static/base/notify.js";
import { recallObject, remember } from "/static/base/storage.js";
import { botChoice, letBotPlay } from "./bot.js";
import { on } from "./bus.js";
import { options } from "./options.js";
import { copyBoard, saveReplay } from "./replay.js";
import { botPlays, cabinet, rules, running, send, showing } from "./state.js";
/** @import { Setup } from "./state.js" */

const STEP = 400;
/** The timer of the next number; 0: nothing is counted. */
let counting = 0;
/** The next table is a game that was asked for just now: it need not wait to be resumed. */
let wanted = false;
let botWanted = false;
/** The person has asked for the bot's game, and goes on with it at once. */
let takingOver = false;
/** The person looks at the bot step by step: no cover lies over the board. */
let stepping = false;

/** @param {Setup} setup */
export function start(setup, withBot = false) {
  if (wanted) return; // one is on its way
  cabinet.setup = setup;
  botWanted = withBot;
  wanted = send({ type: "start", ...setup, handling: options.handling });
}

/** How the game was started, also after a reload; a game of another browser has none. @param {string} session */
function recallSetup(session) {
  if (wanted) {
    remember("arcade.setup", JSON.stringify({ session, setup: cabinet.setup }));
    return;
  }
  const kept = recallObject("arcade.setup");
  cabinet.setup = kept.session === session && kept.setup && typeof kept.setup === "object" ? /** @type {Setup} */ (kept.setup) : null;
}

/** A new game like this one, with other pieces unless its seed was chosen; by the bot if it plays this one. */
export function again() {
  if (showing()) return;
  const { level } = sure(cabinet.table);
  const goal = level.mode === "sprint" ? { lines: sure(cabinet.seen).goal } : {};
  start(cabinet.setup ?? { mode: level.mode, rules: level.rules, start_level: level.start_level, ...goal }, botPlays());
}

export function togglePause() {
  if (counting) stopCounting();
  else if (cabinet.phase === "playing") send({ type: "pause" });
  else if (cabinet.phase === "paused") go();
}

/** The person is not there to play: the tab is hidden, or a dialog lies over the game. */
const isAway = () => document.hidden || document.querySelector("dialog[open]") !== null;

/** For a dialog that is about to open. */
export function rest() {
  if (counting) stopCounting();
  if (cabinet.phase === "playing") send({ type: "pause" });
}

function stopCounting() {
  clearTimeout(counting);
  counting = 0;
  show($("countdown"), false);
  cover();
}

export function go() {
  if (!cabinet.table || counting || cabinet.phase !== "paused" || isAway()) return;
  if (botPlays()) {
    letBotPlay(); // in the style that may have been chosen in the pause
    return;
  }
  if (showing() || !options.looks.countdown) {
    send({ type: "go" });
    return;
  }
  show($("cover"), false);
  $("board").focus({ preventScroll: true });
  /** @param {number} left */
  const step = (left) => {
    counting = 0;
    show($("countdown"), left > 0);
    setText($("countdown"), String(left));
    if (left > 0) counting = setTimeout(() => step(left - 1), STEP);
    else send({ type: "go" });
  };
  step(3);
}

/** @param {string} key @param {() => unknown} onclick */
const button = (key, onclick, kind = "") => el("button", { type: "button", class: kind, "data-testid": `cover-${key}`, onclick }, t(`arcade.${key}`));

const outcome = () => (cabinet.seen?.status === "won" ? "won" : cabinet.seen?.status === "playing" ? "" : "lost");

/** The results, also for screen readers. */
export function results() {
  const { frame } = cabinet;
  const seen = sure(cabinet.seen);
  const pps = frame ? (seen.placed * 60) / frame : 0;
  const figures = [["time", exact(frame)], ["lines", number(seen.lines)], ["score", number(seen.score)], ["pieces", number(seen.placed)], ["pps", pps.toFixed(2)]];
  if (rules() === "guideline") figures.push(["attack", number(seen.attack)]);
  return figures.map(([key, value]) => [t(`arcade.${key}`), value]);
}

/** What the game came to, as a few lines; with the seed others may play the same pieces. */
async function shareResult() {
  const { level } = sure(cabinet.table);
  const mode = t(`arcade.mode.${level.rules === "article" ? "article" : level.mode}`);
  const title = ["winnable", t("page.arcade"), mode, t(`arcade.${outcome() || "ended"}`)].join(" · ");
  const figures = results().map(([name, value]) => t("list.pair", { name, value })).join(t("list.comma"));
  const text = [title, ...(cabinet.byBot ? [t("arcade.by.bot")] : []), figures, t("list.pair", { name: t("arcade.dice"), value: level.dice })].join("\n");
  if (hasShare && (await handOn({ text }))) return;
  toast((await copyText(text)) ? t("arcade.shared") : text);
}

/** m:ss.hh of game time; as whole hundredths, because 2.3 * 100 is less than 230. @param {number} frames */
export function exact(frames) {
  const hundredths = Math.floor((frames * 100) / 60);
  return `${clock(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, "0")}`;
}

function takeOver() {
  takingOver = send({ type: "hands" });
}

/** The pause is where the game changes hands. */
function botButtons() {
  return [botPlays() ? button("take", takeOver) : button("bot.play", letBotPlay), botChoice("cover")];
}

/** takesFocus: not while the person is elsewhere on the page. */
function cover(takesFocus = true) {
  const { phase, table } = cabinet;
  const body = document.body;
  body.dataset.phase = showing() ? "watching" : phase;
  body.dataset.end = !showing() && phase === "over" ? outcome() : "";
  const hidden = !table || phase === "playing" || showing() || counting || (stepping && phase === "paused");
  show($("cover"), !hidden);
  if (hidden) return;
  const over = phase === "over";
  const title = !over ? (cabinet.frame ? "paused" : "ready") : { won: "won", lost: "lost", "": "ended" }[outcome()];
  setText($("cover-title"), t(`arcade.${title}`));
  $("cover-figures").replaceChildren(...(over ? results().map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))) : []));
  const keep = cabinet.frame ? [button("watch", () => send({ type: "watch" })), button("save", saveReplay)] : [];
  const first = over ? button("again", again, "primary") : button(cabinet.frame ? "resume" : "go", go, "primary");
  const others = over ? [] : [...botButtons(), ...(cabinet.frame ? [button("restart", again)] : [])];
  const share = over ? [button("share", shareResult)] : [];
  $("cover-buttons").replaceChildren(first, ...share, ...others, ...keep, button("copy", copyBoard), button("menu", () => $("to-menu").click()));
  // At the end no button has the focus: a hard drop too many must not begin a new game.
  if (takesFocus && !document.querySelector("dialog[open]")) (over ? $("cover-title") : first).focus({ preventScroll: true });
  const byBot = over && cabinet.byBot;
  show($("cover-bot"), byBot);
  const figures = results().map((pair) => pair.join(" "));
  if (over) announce([t(`arcade.${title}`), ...(byBot ? [t("arcade.by.bot")] : []), ...figures].join(t("list.comma")));
}

export function mountFlow() {
  on("arcade-table", ({ session, length }) => {
    if (counting) stopCounting();
    if (length === null) {
      remember("arcade.session", session);
      if (location.hash !== `#${session}`) setAddress("replaceState", null, `#${session}`);
      recallSetup(session);
    }
    if ($("menu").open) $("menu").close();
    if (wanted) {
      wanted = false;
      (botWanted ? letBotPlay : go)();
    }
  });
  on("arcade-stepping", () => {
    stepping = true;
    cover(false);
  });
  on("arcade-phase", (phase) => {
    if (phase === "playing" || !botPlays()) stepping = false;
    cover(!stepping);
    // It was asked for before the person went away.
    if (running() && isAway()) send({ type: "pause" });
    else if (phase === "playing" && !showing()) $("board").focus({ preventScroll: true });
    if (!takingOver || phase === "playing") return;
    takingOver = false;
    go();
  });
  on("arcade-bot", () => cabinet.table && cover());
  on("language", () => cabinet.table && cover(false));
  // What cannot even be read is refused without its name.
  on("error", ({ request }) => {
    if (request === "start" || request === "") wanted = false;
  });
  // The answer went with the connection before.
  on("hello", () => {
    wanted = false;
  });
  $("pause").addEventListener("click", togglePause);
  $("bot-take").addEventListener("click", takeOver);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return;
    if (counting) stopCounting();
    if (running()) send({ type: "pause" });
  });
}

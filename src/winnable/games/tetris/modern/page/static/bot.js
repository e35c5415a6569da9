// The bot: it plays when it is let, and gives hints.

import { compiling, fewCompilingWords } from "/static/base/compiling.js";
import { $, el, setText, show, sure } from "/static/base/dom.js";
import { has, number, t } from "/static/base/i18n.js";
import { announce } from "/static/base/notify.js";
import { emit, on } from "./bus.js";
import { keep, options } from "./options.js";
import { botPlays, cabinet, playing, rules, send, showing } from "./state.js";
/** @import { Hint } from "./messages.js" */

/** @type {(typeof options.bot.style)[]} */
const STYLES = ["attack", "sprint", "marathon"];
/** The last one: as fast as it can. Under the article's rules 1 is a row each quarter of a second, and 51 its row
 *  a tick. @type {(number | "max")[]} */
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 51, "max"];
/** A hint was asked for. */
let hinting = false;
/** The bot is the guideline's or the article's, which looks at the board as a player of tetris does. */
const preparing = () => compiling("tetris");

/** A choice that the browser remembers; all of a kind show the same.
 *  @param {"style" | "by" | "speed"} name @param {HTMLElement[]} values @param {string} label @param {string} id */
function choice(name, values, label, id) {
  const input = el("select", { "data-bot": name, "data-testid": id, "aria-label": t(label), "data-i18n-label": label }, ...values);
  input.value = String(options.bot[name]);
  input.addEventListener("change", () => {
    Object.assign(options.bot, { [name]: name === "speed" && input.value !== "max" ? Number(input.value) : input.value });
    keep("bot");
    if (botPlays() && name === "speed") tellSpeed();
    else if (botPlays() && cabinet.phase === "playing") send({ type: "bot", ...who() });
    // So that the keys of the game work again.
    if (botPlays() && cabinet.phase === "playing") $("board").focus({ preventScroll: true });
  });
  return input;
}

const who = () => ({ style: options.bot.style, by: options.bot.by });

/** Who plays the article's game: the article's player, others, tuned runs. @param {string} id */
export function playerChoice(id) {
  const select = choice("by", playerOptions(), "arcade.bot.by", id);
  if (!select.value) {
    select.selectedIndex = 0; // a run that is kept no more
    options.bot.by = select.value;
  }
  return select;
}

function playerOptions() {
  const { players, tuned } = sure(cabinet.hello);
  /** @param {string} key @param {string} name */
  const word = (key, name) => (has(key) ? t(key) : name);
  return [
    ...players.map((name) => el("option", { value: name }, word(`method.${name}`, name))),
    ...tuned.map(({ name, tunable }) => el("option", { value: name }, `${word(`tunable.${tunable}`, tunable)} · ${name.slice(4, 8)}`)),
  ];
}

/** What the rules leave to choose: a style, or a player. @param {string} id @param {string} [of] */
export const botChoice = (id, of = rules()) => (of === "article" ? playerChoice(`${id}-by`) : styleChoice(`${id}-style`));

/** @param {string} id */
export function styleChoice(id) {
  const values = STYLES.map((style) => el("option", { value: style, "data-i18n": `arcade.bot.${style}` }, t(`arcade.bot.${style}`)));
  return choice("style", values, "arcade.bot.style", id);
}

/** @param {string} id */
function speedChoice(id) {
  const values = SPEEDS.map((speed) => (speed === "max" ? el("option", { value: speed, "data-i18n": "arcade.bot.max" }, t("arcade.bot.max")) : speed === 51 ? el("option", { value: speed, "data-i18n": "arcade.bot.tick" }, t("arcade.bot.tick")) : el("option", { value: speed }, `${speed}×`)));
  return choice("speed", values, "arcade.speed", id);
}

const tellSpeed = () => send({ type: "speed", times: options.bot.speed === "max" ? null : options.bot.speed });

/** From where the game stands. */
export function letBotPlay() {
  tellSpeed();
  send({ type: "bot", ...who() });
}

/** While it pauses: to: `move` or `lock`. @param {"move" | "lock"} to */
function advance(to) {
  if (!botPlays() || cabinet.phase === "over") return;
  if (cabinet.phase === "playing") send({ type: "pause" });
  tellSpeed();
  emit("arcade-stepping");
  send({ type: "advance", to });
}

export function askHint() {
  if (playing()) hinting = send({ type: "hint", ...who() });
}

/** left, left -> Left ×2 @param {string[]} path */
function words(path) {
  /** @type {{ tap: string, times: number }[]} */
  const steps = [];
  for (const tap of path) {
    const last = steps.at(-1);
    if (last?.tap === tap) last.times++;
    else steps.push({ tap, times: 1 });
  }
  return steps.map(({ tap, times }) => t(`arcade.key.${tap}`) + (times > 1 ? ` ×${number(times)}` : ""));
}

/** @param {Hint | null} hint */
function drawHint(hint) {
  hinting = false;
  show($("hint-words"), Boolean(hint));
  if (!hint) return;
  const steps = words(hint.path);
  $("hint-words").replaceChildren(...steps.map((step) => el("li", {}, step)));
  announce(t("list.pair", { name: t("arcade.key.hint"), value: steps.join(t("list.comma")) }));
}

function draw() {
  show($("botbar"), botPlays());
  document.body.dataset.player = botPlays() ? "bot" : "person";
  const going = preparing();
  setText($("bot-state"), going ? fewCompilingWords(going) : t("arcade.bot"));
  $("bot-state").setAttribute("aria-busy", going !== null);
  show($("film-bot"), showing() && cabinet.byBot);
  $("hint").disabled = !playing();
  for (const button of [$("bot-take"), $("bot-step"), $("bot-piece")]) button.disabled = cabinet.phase === "over";
  const choice = document.querySelector("#bot-choices [data-bot=style], #bot-choices [data-bot=by]");
  if (botPlays() && choice?.dataset.bot !== (rules() === "article" ? "by" : "style")) choice?.replaceWith(botChoice("bot"));
}

/** In place of the hint that is asked for. */
function onCompiling() {
  draw();
  if (!hinting) return;
  const going = preparing();
  show($("hint-words"), going !== null);
  if (going) $("hint-words").replaceChildren(el("li", {}, fewCompilingWords(going)));
}

export function mountBot() {
  $("bot-choices").append(styleChoice("bot-style"), speedChoice("bot-speed"));
  $("field-style").append(styleChoice("menu-style"));
  on("hello language", () => {
    if (!cabinet.hello) return;
    for (const select of document.querySelectorAll("[data-bot=by]")) select.replaceWith(playerChoice(select.dataset.testid ?? ""));
    if (!$("field-by").querySelector("select")) $("field-by").append(playerChoice("menu-by"));
  });
  $("bot-step").addEventListener("click", () => advance("move"));
  $("bot-piece").addEventListener("click", () => advance("lock"));
  $("hint").addEventListener("click", () => {
    askHint();
    $("board").focus({ preventScroll: true });
  });
  on("arcade-hint", drawHint);
  on("arcade-table arcade-bot", () => drawHint(null));
  on("arcade-table arcade-bot arcade-phase language", draw);
  on("arcade-options", () => {
    for (const [name, value] of Object.entries(options.bot)) {
      /** @type {NodeListOf<HTMLSelectElement>} */
      const choices = document.querySelectorAll(`[data-bot=${name}]`);
      for (const select of choices) select.value = String(value);
    }
  });
  on("compiling", onCompiling);
}

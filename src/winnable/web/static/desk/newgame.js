// The dialog for a new game: today's level, shipped levels, a level made from parameters, a pasted text, a file.

import { on } from "../base/bus.js";
import { $, el, icon, openDialog, setText, show, sure } from "../base/dom.js";
import { showEntry } from "./editor.js";
import { complain, controlsIn, countingIn, fault, pairsIn, paramField } from "../base/fields.js";
import { game, gameInfo, send } from "./game.js";
import { isMadeToOrder, WORDS } from "./hardness.js";
import { localized, number, t } from "../base/i18n.js";
import { levelCards } from "./levels.js";
import { paramName } from "./names.js";
import { toast } from "../base/notify.js";
import { keyOf } from "../base/keyboard.js";
import { refusalText, refusalWords } from "../base/refusal.js";
import { walkByArrows } from "../base/walk.js";
import { fillRadios, listenToArrows, radio } from "../base/radios.js";
/** @import { Control, Limits } from "../base/fields.js" */
/** @import { ErrorEvent, GameInfo, Load, New, Param } from "../base/messages.js" */

const MOST_SEED = 2 ** 53 - 1;
const SEED = { name: "seed", minimum: 0, maximum: MOST_SEED, step: 1, whole: true };
/** What the server takes in one message, with room for the JSON around it. */
export const MOST_TEXT = 15_000_000;
const IDENTITY = /^\s*(\w+):([^#]*)#(\d+)\s*$/;
/** @type {string | null} */
let chosen = null;
/** For which board the form was filled: until another one comes, what was entered in it stays.
 *  @type {string | null | undefined} */
let filledFor;
/** What was sent from the dialog and is not answered yet. @type {{ type: string, file: string } | null} */
let pending = null;

export function openNew() {
  const dialog = $("new-dialog");
  if (dialog.open || !game.hello || game.flying) return;
  if (filledFor !== (game.state?.session ?? null)) {
    chosen = game.state?.game ?? chosen;
    draw();
  } else drawLevels();
  openDialog(dialog);
}

/** Starts from whatever text this is: a file's JSON, an identity, a shipped level's name or a board. difficulty: of an
 *  identity, see `New`. @param {string} text */
export function startText(text, difficulty = "") {
  const level = text.trimStart();
  if (!level) return;
  // At the end a blank may be a move of a recorded game.
  begin(level.startsWith("{") || level.startsWith("[")
    ? { type: "load", content: level }
    : { type: "new", level, game: gameInfo(chosen ?? undefined)?.name ?? "", ...(difficulty && { difficulty }) });
}

/** The dialog stays as it is until the level is there: nothing that was entered is lost.
 *  @param {New | Load} request */
function begin(request, file = "") {
  allClear();
  if (send(request) && $("new-dialog").open) pending = { type: request.type, file };
}

/** Starts from what the form says, unless a field says what cannot be. */
function submit() {
  const made = IDENTITY.exec($("new-text").value)?.[1] === info().name;
  for (const [control, param] of made ? allFields() : []) {
    const words = "choices" in param && param.choices ? "" : fault(param, control);
    if (words) return complain(control, words);
  }
  startMade();
}

/** From the text as it stands; what is made is as hard as the form says. */
function startMade() {
  const text = $("new-text").value;
  startText(text, IDENTITY.test(text) ? hardInput().value : "");
}

/** Takes back what was said of what is entered. */
function allClear() {
  /** @type {NodeListOf<Control>} */
  const wrong = $("new-form").querySelectorAll("[aria-invalid=true]");
  for (const control of wrong) complain(control);
  show($("new-error"), false);
}

/** Whether the dialog says a refusal, beside the field that it is about or above the buttons.
 *  @param {ErrorEvent} event */
export function saidInForm(event) {
  if (!pending || event.request !== pending.type || !$("new-dialog").open) return false;
  const { type, file } = pending;
  pending = null;
  const made = IDENTITY.test($("new-text").value);
  const [named = null] = made ? (event.field === "difficulty" ? [hardInput()] : allFields().find(([, { name }]) => name === event.field) ?? []) : [];
  const control = type !== "new" ? null : made ? named : $("new-text");
  if (control) complain(control, named ? refusalWords(event, info()) : refusalText(event, info()));
  else {
    const text = refusalText(event, info());
    setText($("new-error"), file ? t("error.field", { field: file, text }) : text);
    show($("new-error"), true);
    $("new-error").scrollIntoView({ block: "nearest" });
  }
  return true;
}

const info = () => sure(gameInfo(chosen ?? undefined));

/** @param {string} name */
const word = (name) => paramName(name, info().name);

/** @param {Param} param */
function levelField(param) {
  return paramField(param, word, { "data-testid": `param-${param.name}`, "data-param": param.name, oninput: writeIdentity });
}

function seedField() {
  const input = el("input", { id: "new-seed", type: "number", inputmode: "numeric", min: 0, max: MOST_SEED, step: 1, value: randomSeed(), "data-testid": "param-seed", oninput: writeIdentity });
  const dice = el("button", { class: "square", type: "button", "data-testid": "seed-random", "aria-label": t("new.dice"), title: t("new.dice"), onclick: rollSeed }, icon("dice"));
  return el("div", { class: "field" }, el("label", { for: "new-seed" }, t("param.seed")), el("span", { class: "joined" }, input, dice));
}

/** What a careful player wins of such levels. */
const SHARES = ["80%", "60%", "40%", "20%", "10%"];

function hardField() {
  const ways = ["", ...WORDS, ...(isMadeToOrder(info()) ? SHARES : [])];
  /** @param {string} way */
  const words = (way) => (WORDS.includes(way) ? t(`fact.word.${way}`) : way ? t("new.share", { share: way }) : t("sets.make.hard.any"));
  const select = el("select", { id: "new-hard", "data-testid": "new-hard", onchange: allClear }, ...ways.map((way) => el("option", { value: way }, words(way))));
  return el("div", { class: "field" }, el("label", { for: "new-hard" }, t("sets.make.hard")), select);
}

/** Made by hardField. */
const hardInput = () => /** @type {HTMLSelectElement} */ (document.getElementById("new-hard"));

/** Short enough to read out, large enough to be new. */
export function randomSeed() {
  return 1 + Math.floor(Math.random() * 99_999);
}

function rollSeed() {
  seedInput().value = String(randomSeed());
  writeIdentity();
}

/** Made by seedField. */
const seedInput = () => /** @type {HTMLInputElement} */ (document.getElementById("new-seed"));

const fields = () => controlsIn($("new-params"), info().params);

/** Those that are shown, and that of the seed. @returns {[Control, Limits & { name: string }][]} */
function allFields() {
  return [...showFields(), [seedInput(), SEED]];
}

const showFields = () => countingIn($("new-params"), info().params);

/** The shortest text for the form: parameters at their default are left out. */
function writeIdentity() {
  allClear();
  $("new-text").value = `${info().name}:${pairsIn($("new-params"), info().params)}#${seedInput().value || 0}`;
}

/** A pasted identity fills in the form as far as it fits, so that one can go on from there. */
function readIdentity() {
  allClear();
  const [, name, params, seed] = IDENTITY.exec($("new-text").value) ?? [];
  if (!game.hello?.games.some((other) => other.name === name)) return;
  if (name !== info().name) {
    const text = $("new-text").value;
    choose(name);
    $("new-text").value = text;
  }
  const given = new Map(params.split(",").map((pair) => /** @type {[string, string]} */ (pair.split("=").map((part) => part.trim()))));
  for (const [control, param] of fields()) control.value = given.get(param.name) ?? String(param.default);
  showFields();
  seedInput().value = seed;
}

/** @param {GameInfo} info */
function gameChoice({ name, title }) {
  return radio(name === info().name, { "data-game": name, onclick: () => choose(name) }, localized(title));
}

/** @param {string} name */
function choose(name) {
  chosen = name;
  draw();
}

function draw() {
  if (!game.hello) return;
  const { games } = game.hello;
  // One game needs no choice; nothing is shown that is not there.
  show($("new-games"), games.length > 1);
  fillRadios($("new-games"), games.map(gameChoice));
  setText($("new-about"), `${localized(info().title)} · ${localized(info().about)}`);
  filledFor = game.state?.session ?? null;
  drawLevels();
  $("new-params").replaceChildren(...info().params.map(levelField), hardField(), seedField());
  writeIdentity();
  showEntry($("new-draw"), info().name);
}

function drawLevels() {
  $("new-levels").replaceChildren(...levelCards(info().levels, startText, true));
}

/** Its text; of a file that is none, its bytes as a `data:` address. @param {File} file @returns {Promise<string>} */
export async function contentOf(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(file);
    });
  }
}

/** @param {File} [file] */
async function readFile(file) {
  if (!file) return;
  if (file.size > MOST_TEXT) {
    toast(t("load.large"), "error");
    return;
  }
  begin({ type: "load", content: await contentOf(file) }, file.name);
}

function mountDrop() {
  /** @param {DragEvent} event */
  const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0;
  /** @param {number} change */
  const enter = (change) => show($("drop"), (depth = Math.max(0, depth + change)) > 0);
  addEventListener("dragenter", (event) => carriesFile(event) && enter(1));
  addEventListener("dragleave", (event) => carriesFile(event) && enter(-1));
  addEventListener("dragover", (event) => carriesFile(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    // Another part of the page may have taken them.
    const taken = event.defaultPrevented;
    event.preventDefault();
    depth = 0;
    enter(0);
    if (!taken) readFile(event.dataTransfer?.files[0]);
  });
}

export function mountNew() {
  on("hello language", draw);
  on("connection", () => (pending = null));
  on("several", ({ levels }) => toast(t("load.several", { n: number(levels) })));
  $("new-dialog").addEventListener("close", () => (pending = null));
  on("state", ({ game: name }) => {
    if (pending) $("new-dialog").close();
    // Whoever opened the dialog before the first board came sees the list of its game.
    const first = chosen === null;
    chosen = name;
    if (first) draw();
  });
  on("hello state landed", () => ($("new").disabled = !game.hello || game.flying));
  listenToArrows($("new-games"));
  walkByArrows($("new-levels"));
  $("new").addEventListener("click", openNew);
  $("new-daily").addEventListener("click", () => startText(`${info().name}:daily`));
  $("new-random").addEventListener("click", () => {
    rollSeed();
    startMade();
  });
  $("new-text").addEventListener("input", readIdentity);
  $("new-text").addEventListener("keydown", (event) => {
    // Enter starts; notations are one line, pasted files may have more.
    if (keyOf(event) !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    submit();
  });
  $("new-form").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  $("load-file").addEventListener("change", () => {
    readFile($("load-file").files?.[0]);
    $("load-file").value = "";
  });
  mountDrop();
}

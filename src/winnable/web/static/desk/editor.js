// The dialog in which a board is drawn: the game's module draws and reads the notation, the server judges while
// one draws. The game on the board goes on as it is until "Play this".

import { on } from "../base/bus.js";
import { compiling, fewCompilingWords } from "../base/compiling.js";
import { $, openDialog, setText, show, sure } from "../base/dom.js";
import { game, gameInfo, send } from "./game.js";
import { number, seconds, t, tn } from "../base/i18n.js";
import { announce } from "../base/notify.js";
import { refusalText } from "../base/refusal.js";
import { recall, remember } from "../base/storage.js";
import { copy } from "./share.js";
/** @import { Judged, Mended } from "../base/messages.js" */
/** @import { BoardModule, Editor } from "../boards/board.js" */

/** Milliseconds without a change until the server is asked: fewer than between two tiles of a drag. */
const DEBOUNCE = 60;
const JUDGE_SECONDS = 15;
const MEND_SECONDS = 60;

/** keep: what is done with the drawing, where it is one of a set. editor: the game module's. ticket: of the last question;
 *  answers to others are old. asked, mending: whether the server judges the drawing, or mends it. */
const state = {
  game: "",
  keep: /** @type {((code: string) => void) | null} */ (null),
  editor: /** @type {Editor | null} */ (null),
  ticket: 0,
  timer: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined),
  asked: false,
  mending: false,
  judged: /** @type {Judged | null} */ (null),
  unreadable: /** @type {string | null} */ (null),
  playing: false,
};

/** Of a dialog that was opened. */
const drawing = () => sure(state.editor);

/** @param {string} [name] */
async function editorOf(name) {
  if (!game.hello?.games.some((info) => info.name === name)) return undefined;
  /** @type {BoardModule<unknown, unknown>} */
  const { createEditor } = await import(`/boards/${name}.js`);
  return createEditor;
}

/** Opens on a board's notation; without one, on the last drawing. False: it does not. keep: see `state`.
 *  @param {string} [name] @param {typeof state.keep} [keep] */
export async function openEditor(code = /** @type {string | null} */ (null), name = game.state?.game, keep = null) {
  const createEditor = await editorOf(name);
  if (!createEditor || $("editor-dialog").open || game.flying) return false;
  state.keep = keep;
  show($("editor-keep"), keep !== null);
  $("editor-play").classList.toggle("primary", keep === null);
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  if (state.game !== name) {
    state.editor?.destroy();
    Object.assign(state, { game: name, editor: createEditor($("editor-body"), { t, tn, number, onChange }) });
  }
  openDialog($("editor-dialog"));
  drawing().read(code ?? recall(`editor.${name}`) ?? "");
  take();
  $("editor-dialog").scrollTop = 0;
  return true;
}

/** The drawing has changed: it is kept, also if the page ends now. */
function onChange() {
  remember(`editor.${state.game}`, take());
}

/** What was found out about the drawing before counts no more. */
function take() {
  const code = drawing().code();
  if (document.activeElement !== $("editor-code") || state.unreadable === null) $("editor-code").value = code;
  state.unreadable = null;
  ask();
  return code;
}

/** Whatever is typed or pasted; what the page cannot read, the server explains. */
function onCode() {
  const text = $("editor-code").value;
  const readable = drawing().read(text);
  state.unreadable = readable ? null : text.trim();
  if (readable) remember(`editor.${state.game}`, drawing().code());
  ask();
}

function stopAsking() {
  clearTimeout(state.timer);
  state.ticket++;
  state.judged = null;
  if (state.asked) send({ type: "judge", game: state.game, level: "" });
  if (state.mending) send({ type: "mend", game: state.game, level: "" });
  state.asked = state.mending = false;
}

function ask() {
  stopAsking();
  complain("");
  draw();
  const level = state.unreadable ?? drawing().question();
  if (level) state.timer = setTimeout(() => (state.asked = send({ type: "judge", game: state.game, level, ticket: state.ticket, seconds: JUDGE_SECONDS })), DEBOUNCE);
}

/** @param {Judged} event */
function onJudged(event) {
  if (event.ticket !== state.ticket || !$("editor-dialog").open) return;
  state.judged = event;
  if (event.done) state.asked = false;
  draw();
  if (event.done) announce($("editor-verdict").textContent);
}

function mend() {
  if (state.mending) return;
  state.mending = send({ type: "mend", game: state.game, level: drawing().question(), ticket: state.ticket, seconds: MEND_SECONDS });
  draw();
}

/** @param {Mended} event */
function onMended({ ticket, level }) {
  if (ticket !== state.ticket || !$("editor-dialog").open) return;
  state.mending = false;
  if (drawing().mended) drawing().mended?.(level);
  else if (drawing().read(level)) onChange();
  // The button is gone that was pressed.
  $("editor-play").focus({ preventScroll: true });
}

/** @param {string} message */
function complain(message) {
  setText($("editor-error"), message);
  show($("editor-error"), message !== "");
  if (message) $("editor-code").setAttribute("aria-invalid", "true");
  else $("editor-code").removeAttribute("aria-invalid");
}

function draw() {
  if (!state.editor) return;
  const empty = state.unreadable === null && !state.editor.question();
  const { text, kind } = state.unreadable !== null ? { text: "", kind: "open" } : state.editor.verdict(state.judged);
  const searching = state.mending || (!empty && !state.judged?.done && !$("editor-error").textContent);
  const box = $("editor-verdict");
  Object.assign(box.dataset, { kind, searching, done: Boolean(state.judged?.done) });
  const preparing = compiling(state.game);
  setText($("editor-verdict-text"), state.mending ? t("editor.mending") : text || (searching ? (preparing ? fewCompilingWords(preparing) : t("editor.searching")) : ""));
  setText($("editor-verdict-time"), state.judged?.seconds ? seconds(state.judged.seconds) : "");
  for (const button of [$("editor-play"), $("editor-keep")]) button.disabled = empty || state.unreadable !== null;
  const isLost = !empty && state.unreadable === null && state.judged?.status === "unsolvable";
  show($("editor-mend"), isLost && Boolean(gameInfo(state.game)?.repairs.length));
  $("editor-mend").setAttribute("aria-disabled", String(state.mending));
}

function play() {
  if (!state.playing) state.playing = send({ type: "new", level: drawing().code(), game: state.game });
}

function keep() {
  state.keep?.(drawing().code());
  $("editor-dialog").close();
}

/** A button for each way in, where the game has an editor. */
async function drawEntries() {
  show($("edit-level"), Boolean(await editorOf(game.state?.game)));
}

/** @param {HTMLElement} button @param {string} name */
export async function showEntry(button, name) {
  button.dataset.game = name;
  const editor = await editorOf(name);
  // Another game may have been chosen meanwhile, whose module came first.
  if (button.dataset.game === name) show(button, Boolean(editor));
}

export function mountEditor() {
  on("judged", onJudged);
  on("mended", onMended);
  on("compiling", draw);
  on("error", (event) => {
    const { request, code } = event;
    if (code === "cancelled") state.playing = false;
    else if ($("editor-dialog").open && (request === "judge" || request === "mend" || (request === "new" && state.playing))) {
      state.playing = state.mending = false;
      complain(refusalText(event, gameInfo(state.game)));
      draw();
    }
  });
  on("state", () => {
    if (state.playing) $("editor-dialog").close();
    state.playing = false;
    drawEntries();
  });
  on("connection", (connected) => {
    Object.assign(state, { asked: false, mending: false, playing: false });
    if (connected && $("editor-dialog").open) ask();
  });
  on("language", () => {
    state.editor?.relabel();
    draw();
  });
  $("editor-code").addEventListener("input", onCode);
  $("editor-code").addEventListener("blur", () => state.unreadable === null && state.editor && ($("editor-code").value = state.editor.code()));
  // Enter in a field takes over what it holds; only the button leaves the game under way.
  $("editor-form").addEventListener("submit", (event) => event.preventDefault());
  $("editor-play").addEventListener("click", play);
  $("editor-mend").addEventListener("click", mend);
  $("editor-keep").addEventListener("click", keep);
  $("editor-copy").addEventListener("click", () => copy(drawing().code(), "share.code.done"));
  $("editor-dialog").addEventListener("close", stopAsking);
  $("edit-level").addEventListener("click", () => openEditor(game.board?.codeToEdit?.() ?? sure(game.state).code));
  $("new-draw").addEventListener("click", () => openEditor(null, $("new-draw").dataset.game || sure(gameInfo()).name));
}

// The page: joins connection, board and panels. The rules are on the server; see web/protocol.py and web/events.py for what is said.

import { emit, on } from "./base/bus.js";
import { mountBranches } from "./desk/branches.js";
import { mountCard } from "./desk/card.js";
import { mountDeck } from "./desk/deck.js";
import { mountEditor } from "./desk/editor.js";
import { Connection } from "./base/connection.js";
import { $, arriveAt, el, openDialog, setText, sure } from "./base/dom.js";
import { mountFirst } from "./desk/first.js";
import { act, actFrom, game, gameInfo, landed } from "./desk/game.js";
import { mountHelp } from "./front/help.js";
import { mountHint } from "./desk/hint.js";
import { currentLanguage, LANGUAGES, localized, number, preferredLanguage, t, useLanguage } from "./base/i18n.js";
import { mountKeep } from "./desk/keep.js";
import { mountKeys } from "./keys.js";
import { mountLamp } from "./desk/lamp.js";
import { mountLevels } from "./desk/levels.js";
import { mountMargin } from "./desk/margin.js";
import { mountRating } from "./desk/rating.js";
import { mountNew, saidInForm } from "./desk/newgame.js";
import { drawOffline } from "./base/offline.js";
import { mountOpening } from "./front/opening.js";
import { announce, toast } from "./base/notify.js";
import { mountDays } from "./front/days.js";
import { mountFront } from "./front/front.js";
import { dateWords, levelWords } from "./desk/names.js";
import { atFront, beginsAnew, mountPlace } from "./front/place.js";
import { refusalText } from "./base/refusal.js";
import { apply, change, settings } from "./base/settings.js";
import { actTone, endTones, mountSound, refusedTone } from "./base/sound.js";
import { mountTheme } from "./base/theme.js";
import { mountCode } from "./desk/qr.js";
import { mountShare } from "./desk/share.js";
import { mountSide } from "./desk/side.js";
import { mountRepair } from "./desk/repair.js";
import { mountTabs } from "./desk/tabs.js";
import { mountSolver } from "./desk/solver.js";
import { mountTimeline } from "./desk/timeline.js";
import { mountToolbar } from "./desk/toolbar.js";
import { mountComparing } from "./comparing/comparing.js";
import { mountSets, saidInSets } from "./sets/sets.js";
import { mountTuning } from "./tuning/tuning.js";
import { mountWatch, watching } from "./desk/watch.js";
import { explainer, mountWhy } from "./desk/why.js";
/** @import { ErrorEvent, State } from "./base/messages.js" */
/** @import { BoardModule } from "./boards/board.js" */

/** What is drawn: a board belongs to one session. */
const drawn = {
  session: /** @type {string | null} */ (null),
  state: /** @type {State | null} */ (null),
  loading: Promise.resolve(),
};

/** @param {ErrorEvent} event */
function onRefusal(event) {
  const { request, code } = event;
  // A step or a level that the person gave up by doing something else: that is no news.
  if (code === "cancelled" || ["judge", "compare"].includes(request) || beginsAnew(event) || saidInForm(event) || saidInSets(event)) return;
  // The tile that was clicked is still there.
  if (request === "act" && game.board && drawn.state) {
    refusedTone();
    render(drawn.state);
  }
  toast(refusalText(event, gameInfo()), "error");
}

/** @param {State} state */
async function onState(state) {
  const { standing } = state;
  const { shared } = game.history;
  document.body.dataset.standing = standing;
  drawn.loading = drawn.loading.then(() => drawBoard(state, shared)).catch((error) => toast(String(error), "error"));
  document.body.dataset.game = state.game;
  drawTitle();
}

/** shared: how many actions the line has in common with the one of the state before.
 *  @param {State} state @param {number} shared */
async function drawBoard(state, shared) {
  const { session, ply, last_action: action } = state;
  // A newer session may come while this one waits for the board before it, and while its own is being loaded.
  if (session !== game.state?.session) return;
  const before = drawn.state;
  const fresh = session !== drawn.session || !game.board;
  if (fresh) {
    if (!sure(game.hello).games.some(({ name }) => name === state.game)) throw new Error(`unknown game: ${state.game}`);
    /** @type {BoardModule<unknown, unknown>} */
    const { createBoard } = await import(`/boards/${state.game}.js`);
    if (session !== game.state?.session) return;
    game.board = createBoard($("stage"), { onAction: act, onActFrom: actFrom, onExplain: explainer(state.game), t, number });
    drawn.session = session;
  }
  const along = !fresh && before !== null && shared >= Math.min(ply, before.ply);
  const ahead = along && ply === before.ply + 1;
  const back = along && ply === before.ply - 1;
  const frames = game.flying && game.state === state ? state.frames : null;
  drawn.state = state;
  render(state, { animate: ahead ? true : back ? "back" : false, action: ahead ? action : null, frames, onLanded: () => landed(state) });
  if (ahead) sound(state, before);
  if (fresh) {
    emit("board", sure(game.board));
    arriveAt($("level-title"));
  }
  if (!game.flying) tell(state, ahead, fresh);
}

/** What is heard of an action at once. @param {State} state @param {State} before */
function sound({ view, frames }, before) {
  const { board } = game;
  if (board?.sound) board.sound(view, before.view, /** @type {unknown[] | null} */ (frames));
  else actTone();
}

/** Screen readers hear what an action led to once it is there to see; then the card says how a game ended.
 *  @param {State} state @param {boolean} ahead */
function tell({ view, frames, standing }, ahead, fresh = false) {
  if (!fresh && !watching() && (ahead || standing === "playing")) announce(sure(game.board).status(view, /** @type {unknown[] | null} */ (ahead ? frames : null)));
  if (ahead && standing !== "playing") endTones(standing === "won");
  emit("told");
}

/** @param {State} state */
function render({ view, legal, ply }, motion = {}) {
  sure(game.board).render(view, legal, { ply, par: game.par, ...motion });
}

/** What became known of the level shows at once, but no motion is cut short for it. */
function onPar() {
  if (game.board && drawn.state && drawn.state === game.state && !game.flying) render(drawn.state);
}

function drawTitle() {
  const { state } = game;
  if (!state) return;
  const { game: name, level } = levelWords(state);
  const title = state.day ? t("daily.title", { date: dateWords(state.day, { month: "short", day: "numeric" }) }) : localized(state.title) || name;
  setText($("level-title"), title);
  setText($("level-id"), state.day || level === title ? name : level);
  if (!atFront()) document.title = `${title} · winnable`;
}

function mountHeader() {
  const select = $("language");
  select.append(...Object.entries(LANGUAGES).map(([value, name]) => el("option", { value, lang: value }, name)));
  select.value = currentLanguage();
  select.addEventListener("change", () => useLanguage(select.value, true).catch((error) => toast(String(error), "error")));
  $("settings").addEventListener("click", () => openDialog($("settings-dialog")));
  $("motion").addEventListener("change", () => change("motion", $("motion").checked));
  on("settings", () => ($("motion").checked = settings.motion));
  on("hello language", () => game.hello && setText($("version"), t("version", { version: game.hello.version })));
  on("language view", () => {
    drawTitle();
    game.board?.relabel();
  });
}

function connect() {
  game.connection = new Connection({
    onEvent: (event) => emit(event.type, event),
    onStatus: (connected, code) => {
      drawOffline(connected, code);
      emit("connection", connected);
    },
  });
  $("reconnect").addEventListener("click", () => sure(game.connection).retry());
}

await useLanguage(preferredLanguage());
for (const mount of [mountPlace, mountFront, mountDays, mountHeader, mountTheme, mountSound, mountFirst, mountLamp, mountMargin, mountTimeline, mountBranches, mountToolbar, mountHint, mountWatch, mountSolver, mountRepair, mountLevels, mountRating, mountNew, mountOpening, mountKeep, mountShare, mountCode, mountSide, mountTabs, mountEditor, mountCard, mountDeck, mountWhy, mountTuning, mountComparing, mountSets, mountHelp, mountKeys]) mount();
on("state", onState);
on("error", onRefusal);
on("par landed", onPar);
on("landed", () => tell(sure(game.state), true));
apply();
emit("language", currentLanguage());
connect();

// What is done with the selected levels, and what comes out of the set as files.

import { $, download, setText, show, sure } from "../base/dom.js";
import { currentLanguage, number, t, tn } from "../base/i18n.js";
import { toast } from "../base/notify.js";
import { openEditor } from "../desk/editor.js";
import { gameInfo, send } from "../desk/game.js";
import { columnOf, twinOf } from "./columns.js";
import { goTo, select } from "./selecting.js";
import { chosen, reorder, rowOf, rowsInOrder, undo, view } from "./state.js";
import { reveal } from "./table.js";
import { working } from "./work.js";
/** @import { SetExport, SetFile, SetVary } from "../base/messages.js" */

/** What keys do in the table, as buttons do. @typedef {{ play: () => void, remove: () => void }} Actions */

const set = () => sure(view.info).id;

/** The one level that is to be opened. */
const only = () => (chosen().length === 1 ? rowOf(chosen()[0]) : undefined);

function play() {
  const row = only();
  if (row && row.look.level_id !== null) send({ type: "set_play", set: set(), number: row.number });
}

async function edit() {
  const row = only();
  const { code, number: of, look } = row ?? {};
  if (!code || of === undefined || !look?.game) return;
  const game = look.game;
  const opened = await openEditor(code, game, (level) => send({ type: "set_keep", set: set(), number: of, level, game }));
  if (!opened) toast(t("sets.edit.none"), "warning");
}

/** The rows go at once; the toast says what brings them back. */
function remove() {
  const gone = new Set(chosen());
  if (!gone.size) return;
  const at = view.shown.findIndex((of) => gone.has(of));
  const left = view.shown.filter((of) => !gone.has(of));
  reorder(view.order.filter((of) => !gone.has(of)));
  const next = left[Math.min(Math.max(0, at), left.length - 1)] ?? null;
  const inTable = $("sets-body").contains(document.activeElement);
  select([], next);
  if (inTable) requestAnimationFrame(() => next !== null && reveal(next));
  toast(tn("sets.removed", gone.size));
}

/** @param {SetVary["how"]} how */
const vary = (how) => send({ type: "set_vary", set: set(), levels: chosen(), how });
const repair = () => send({ type: "set_repair", set: set(), levels: chosen() });
const judge = () => send({ type: "set_judge", set: set(), levels: view.selected.size ? chosen() : null });
const toTwin = () => {
  const row = only();
  const other = row && twinOf(row.number);
  if (other !== null && other !== undefined) goTo(other);
};

function save() {
  const format = /** @type {SetExport["format"]} */ ($("sets-format").value);
  send({ type: "set_export", set: set(), format, levels: view.selected.size ? chosen() : null, language: currentLanguage() === "zh-CN" ? "zh-CN" : "en" });
}

/** @param {SetFile} file */
export const onFile = ({ name, media, content }) => download(name, new Blob([Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))], { type: media }));

export function drawActions() {
  const numbers = [...view.selected].filter((of) => view.places.has(of));
  const rows = numbers.flatMap((of) => rowOf(of) ?? []);
  const levels = rows.filter(({ look }) => look.level_id !== null);
  const [one] = rows.length === 1 ? levels : [];
  const busy = working();
  setText($("sets-selected"), numbers.length ? tn("sets.selected", numbers.length) : t("sets.selected.none"));
  $("sets-play").disabled = !one;
  $("sets-edit").disabled = !one?.code;
  show($("sets-to-twin"), columnOf("twin") !== undefined);
  $("sets-to-twin").disabled = !one || twinOf(one.number) === null;
  $("sets-repair").disabled = busy || !levels.some(({ look }) => look.game !== null && gameInfo(look.game)?.repairs.length);
  for (const button of [$("sets-harder"), $("sets-easier"), $("sets-like")]) button.disabled = busy || !levels.length;
  $("sets-judge").disabled = busy || !(numbers.length ? levels.length : rowsInOrder().some(({ judged }) => !judged));
  $("sets-remove").disabled = !rows.length;
  $("sets-undo").disabled = !view.before.length;
  $("sets-save").disabled = !view.order.length;
  setText($("sets-judge"), t(numbers.length ? "sets.judge" : "sets.judge.rest"));
  setText($("sets-save-label"), numbers.length ? t("sets.save.some", { n: number(numbers.length) }) : t("sets.save"));
}

/** @type {Actions} */
export const actions = { play, remove };

export function mountActions() {
  $("sets-play").addEventListener("click", play);
  $("sets-edit").addEventListener("click", edit);
  $("sets-to-twin").addEventListener("click", toTwin);
  $("sets-repair").addEventListener("click", repair);
  $("sets-harder").addEventListener("click", () => vary("harder"));
  $("sets-easier").addEventListener("click", () => vary("easier"));
  $("sets-like").addEventListener("click", () => vary("like"));
  $("sets-judge").addEventListener("click", judge);
  $("sets-remove").addEventListener("click", remove);
  $("sets-undo").addEventListener("click", undo);
  $("sets-save").addEventListener("click", save);
}

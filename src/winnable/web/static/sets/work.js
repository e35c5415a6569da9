// What is being done with the set: how far it is, how long it will take, stop and go on.

import { $, setText, show } from "../base/dom.js";
import { clock, number, t, tn } from "../base/i18n.js";
import { send } from "../desk/game.js";
import { begun } from "./making.js";
import { changed, view } from "./state.js";
/** @import { SetWorking } from "../base/messages.js" */

/** So often a screen reader hears how far it is, at the most. */
const PARTS = 4;
let heard = 0;

/** Whether something is under way, so that nothing else can be begun. */
export const working = () => Boolean(view.info?.works) || view.work?.stage === "working";

/** @param {SetWorking} work */
function words({ work, stage, done, total, failed }) {
  // At the end it counts what has come of it.
  const came = stage === "working" || work === "judge" ? done : done - failed;
  const values = { done: number(came), total: number(total) };
  const missing = failed ? tn(`sets.failed.${work}`, failed) : "";
  return [t(`sets.stage.${work}.${stage}`, values), missing].filter(Boolean).join(" · ");
}

/** About how long, once that can be told. @param {SetWorking} work */
const leftWords = ({ done, total, seconds, stage }) => (stage === "working" && done > 1 && done < total ? t("sets.left", { time: clock((seconds / done) * (total - done)) }) : "");

/** @param {SetWorking} work */
export function onWork(work) {
  if (work.set !== view.info?.id) return;
  if (work.work === "make") begun();
  const ends = work.stage !== "working";
  const part = Math.floor((PARTS * work.done) / Math.max(1, work.total));
  if (view.work?.work !== work.work || view.work.stage !== "working") heard = 0;
  view.work = work;
  if (ends || part > heard) {
    heard = part;
    setText($("sets-heard"), words(work));
  }
  changed();
}

export function drawWork() {
  const { info, work } = view;
  const busy = working();
  const rests = Boolean(info?.rests) && !busy;
  show($("sets-work"), busy || rests || work !== null);
  $("sets-work").dataset.stage = busy ? "working" : rests ? "rests" : "done";
  const told = work && (busy ? work.stage === "working" : !rests || work.stage === "stopped") ? words(work) : busy ? t("sets.works") : t("sets.rests");
  setText($("sets-told"), told);
  $("sets-told").classList.toggle("busy-line", busy);
  setText($("sets-left"), busy && work ? leftWords(work) : "");
  show($("sets-progress"), busy);
  if (work && busy) $("sets-progress").value = work.done / Math.max(1, work.total);
  else $("sets-progress").removeAttribute("value");
  show($("sets-stop"), busy);
  show($("sets-go-on"), rests);
  show($("sets-work-close"), !busy && !rests);
}

export function mountWork() {
  $("sets-stop").addEventListener("click", () => view.info && send({ type: "set_stop", set: view.info.id }));
  $("sets-go-on").addEventListener("click", () => view.info && send({ type: "set_go_on", set: view.info.id }));
  $("sets-work-close").addEventListener("click", () => {
    view.work = null;
    changed();
  });
}

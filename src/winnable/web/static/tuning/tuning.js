// The tuning view: start a run, see it work, look at kept runs, compare two of them. The runs are the server's:
// they go on when the page is closed, and each page that asked for `runs` hears of them.

import { onResize } from "../base/browser.js";
import { on } from "../base/bus.js";
import { compiling, fewCompilingWords } from "../base/compiling.js";
import { $, el, openDialog, redraw, setText, show, sure } from "../base/dom.js";
import { game, gameInfo, send } from "../desk/game.js";
import { goesOnAlone, pageAddress } from "../base/host.js";
import { localized, t } from "../base/i18n.js";
import { blameSetting, keepSettings, settingsFit, settingsOf, showSettings } from "../desk/methods.js";
import { announce, toast } from "../base/notify.js";
import { optimizerName, runName, tunableName } from "../desk/names.js";
import { drawCurves } from "./curve.js";
import { figures, gainOf, legend, runRow, statusBadge, verdict, weights } from "./parts.js";
import { drawHold, held, onTunable } from "./hold.js";
import { refusalWords } from "../base/refusal.js";
import { letTunedPlay } from "../desk/watch.js";
/** @import { ErrorEvent, Generation, Run, RunEvent, RunsEvent, TuningEvent } from "../base/messages.js" */

/** Under which the browser keeps what optimisers are set to. */
const SHELF = "tune";

/** since: when this page first heard of it.
 *  @typedef {Omit<TuningEvent, "type" | "course"> & { since: { evaluations: number, at: number } }} Live */

const view = {
  /** Kept runs, newest first. */
  runs: /** @type {Run[]} */ ([]),
  /** Run id -> its generations. */
  courses: /** @type {Map<string, Generation[]>} */ (new Map()),
  selected: /** @type {string | null} */ (null),
  compared: /** @type {string | null} */ (null),
  /** The run under way, if any. */
  live: /** @type {Live | null} */ (null),
  starting: false,
  drawn: false,
};

/** @param {string | null} [id] */
const runOf = (id) => view.runs.find((run) => run.id === id);
const running = () => view.runs.find(({ status }) => status === "running");

export function openTune() {
  const dialog = $("tune-dialog");
  if (dialog.open || !game.hello) return;
  openDialog(dialog);
  showChosen();
  send({ type: "runs" });
  const shown = running()?.id ?? view.selected;
  if (shown) select(shown);
  draw();
}

/** @param {string} id */
function select(id) {
  if (id === view.compared) view.compared = null;
  view.selected = id;
  send({ type: "run_open", run: id });
  draw();
}

/** From the list, which stands below: the run comes into view. @param {string} id */
function openRun(id) {
  select(id);
  $("tune-run").scrollIntoView({ block: "nearest" });
}

/** @param {string} id */
function compare(id) {
  view.compared = view.compared === id ? null : id;
  if (view.compared && !view.courses.has(id)) send({ type: "run_open", run: id });
  draw();
}

/** @param {Event} event */
function start(event) {
  event.preventDefault();
  const form = $("tune-form");
  const bad = [...form.querySelectorAll("input")].find((field) => !field.dataset.param && !field.checkValidity());
  if (!settingsFit($("tune-settings"))) return;
  if (bad) {
    toast(t("tune.bad", { field: bad.closest("label")?.querySelector("span")?.textContent, low: bad.min, high: bad.max }), "warning");
    bad.focus();
    return;
  }
  const [name, tunable] = $("tune-what").value.split("/");
  const method = shownOptimizer();
  const settings = settingsOf(SHELF, method);
  const [seed, workers] = [Number($("tune-seed").value), Number($("tune-workers").value)];
  const evaluations = settings.iterations ? undefined : Number($("tune-evaluations").value);
  view.starting = send({ type: "tune", game: name, tunable, optimizer: method.name, settings, held: held(), seed, workers, evaluations });
  draw();
}

function resume() {
  view.starting = send({ type: "tune_resume", run: sure(view.selected), workers: Number($("tune-workers").value) || 1 });
  draw();
}

// -- what the server says -----------------------------------------------------------------------------------

/** @param {RunsEvent} event */
function onRuns({ runs }) {
  const before = runOf(view.live?.run);
  view.runs = runs;
  const known = new Set(runs.map(({ id }) => id));
  for (const id of view.courses.keys()) if (!known.has(id)) view.courses.delete(id);
  if (!known.has(view.selected ?? "")) view.selected = null;
  if (!known.has(view.compared ?? "")) view.compared = null;
  const now = runOf(view.live?.run);
  if (now?.status !== "running") view.live = null;
  if (before?.status === "running" && now && now.status !== "running") announce(t("list.pair", { name: runName(now), value: t(`tune.status.${now.status}`) }));
  if (!view.selected && runs.length) {
    view.selected = (running() ?? runs[0]).id;
    if ($("tune-dialog").open) send({ type: "run_open", run: view.selected });
  }
  draw();
}

/** @param {RunEvent} event */
function onRun({ run, course }) {
  if (!runOf(run.id)) view.runs = [run, ...view.runs];
  const last = course.at(-1)?.evaluations ?? 0;
  const newer = (view.courses.get(run.id) ?? []).filter(({ evaluations }) => evaluations > last);
  view.courses.set(run.id, [...course, ...newer]);
  if (view.starting) {
    view.starting = false;
    view.selected = run.id;
    if (view.compared === run.id) view.compared = null;
  }
  draw();
}

/** @param {TuningEvent} event */
function onTuning({ run, stage, evaluations, course }) {
  const since = view.live?.run === run ? view.live.since : { evaluations, at: performance.now() };
  view.live = { run, stage, evaluations, since };
  if (view.courses.has(run) || run === view.selected) view.courses.set(run, [...(view.courses.get(run) ?? []), ...course]);
  draw();
}

/** @param {ErrorEvent} event */
function onError(event) {
  const { request, field } = event;
  if (request === "tune" || request === "tune_resume") view.starting = false;
  if (request === "tune" && field) blameSetting($("tune-settings"), field, refusalWords(event));
  draw();
}

// -- drawing ------------------------------------------------------------------------------------------------

/** At most once a frame, and only what is seen. */
function draw() {
  if (view.drawn) return;
  view.drawn = true;
  requestAnimationFrame(() => {
    view.drawn = false;
    const busy = running() !== undefined || view.live !== null;
    $("tune").classList.toggle("busy", busy);
    $("tune").setAttribute("aria-busy", busy);
    if ($("tune-dialog").open) drawView(busy);
  });
}

/** @param {boolean} busy */
function drawView(busy) {
  const run = runOf(view.selected);
  $("tune-start").disabled = busy || view.starting;
  show($("tune-run"), run !== undefined);
  show($("tune-none"), run === undefined);
  if (run) drawRun(run, busy);
  const context = { selected: view.selected, compared: view.compared, on: { open: openRun, compare, remove: (/** @type {string} */ id) => send({ type: "run_delete", run: id }) } };
  redraw($("tune-runs"), ...view.runs.map((one) => runRow(one, newest(one), context)));
  show($("tune-kept"), view.runs.length > 0);
}

/** @param {Run} run @param {boolean} busy */
function drawRun(run, busy) {
  const course = view.courses.get(run.id) ?? [];
  const last = newest(run);
  const live = view.live?.run === run.id ? view.live : null;
  const status = live ? "running" : run.status;
  const preparing = live?.stage === "starting" ? compiling(run.game) : null;
  const stage = preparing ? fewCompilingWords(preparing) : live && live.stage !== "tuning" ? t(`tune.stage.${live.stage}`) : undefined;
  setText($("tune-name"), runName(run));
  $("tune-name").title = run.id;
  $("tune-badge").replaceChildren(statusBadge(status, stage));
  show($("tune-stop"), status === "running");
  show($("tune-resume"), ["stopped", "interrupted", "failed"].includes(status));
  $("tune-resume").disabled = busy || view.starting;
  for (const button of [$("tune-play"), $("tune-json")]) button.disabled = !last;
  const falling = gameInfo(run.game)?.tunables.find(({ name }) => name === run.tunable)?.live;
  show($("tune-live"), Boolean(falling && last));
  if (falling) $("tune-live").href = `${pageAddress(falling)}#by=run:${run.id}`;
  const judged = live?.evaluations ?? last?.evaluations ?? 0;
  $("tune-progress").value = judged / run.evaluations;
  show($("tune-progress"), status === "running");
  $("tune-figures").replaceChildren(...figures(run, judged, last, rate(live)));
  const other = runOf(view.compared);
  const gain = gainOf(run);
  drawCurves($("tune-curve"), other ? [course, view.courses.get(other.id) ?? []] : [course], other && gainOf(other) !== gain ? null : gain);
  $("tune-legend").replaceChildren(...legend((other ? [run, other] : [run]).map(runName)));
  $("tune-weights").replaceChildren(...weights(run, last));
  redraw($("tune-verdict"), ...verdict(run));
}

/** @param {Run} run */
const newest = (run) => view.courses.get(run.id)?.at(-1) ?? run.latest;

/** Evaluations a second since the page hears of the run; null when it is not under way.
 *  @param {typeof view.live} live */
function rate(live) {
  if (!live || live.evaluations <= live.since.evaluations) return null;
  return (live.evaluations - live.since.evaluations) / Math.max(0.05, (performance.now() - live.since.at) / 1000);
}

const shownOptimizer = () => {
  const { name, params } = sure(game.hello?.optimizers.find(({ name }) => name === $("tune-optimizer").value));
  return { name, settings: params };
};

/** What is chosen to be tuned. */
function chosen() {
  const [game, name] = $("tune-what").value.split("/");
  return { game, info: gameInfo(game)?.tunables.find((tunable) => tunable.name === name) };
}

function showChosen() {
  const { game, info } = chosen();
  show($("tune-article"), Boolean(info?.article));
  if (info) drawHold(game, info.name);
  showOptimizer();
}

/** The optimiser of the article, set as it was there. */
function asInTheArticle() {
  const { optimizer, settings } = sure(chosen().info?.article);
  $("tune-optimizer").value = optimizer;
  keepSettings(SHELF, optimizer, settings);
  showOptimizer();
}

function showOptimizer() {
  showSettings($("tune-settings"), SHELF, shownOptimizer());
  countEvaluations();
}

/** With iterations, they say how many evaluations there are. */
function countEvaluations() {
  const { iterations, size } = settingsOf(SHELF, shownOptimizer());
  $("tune-evaluations").disabled = Boolean(iterations);
  if (iterations && size) $("tune-evaluations").value = String(Number(size) * (Number(iterations) + 1));
}

function letItPlay() {
  const run = sure(runOf(view.selected));
  $("tune-dialog").close();
  const { stage } = sure(sure(gameInfo(run.game)).tunables.find(({ name }) => name === run.tunable));
  letTunedPlay(run, stage);
}

function fillForm() {
  if (!game.hello) return;
  const { games, optimizers, cores } = game.hello;
  /** @param {HTMLSelectElement} select @param {string[][]} options */
  const fill = (select, options) => {
    const chosen = select.value;
    select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
    if (options.some(([value]) => value === chosen)) select.value = chosen;
  };
  const several = games.filter(({ tunables }) => tunables.length).length > 1;
  fill($("tune-what"), games.flatMap(({ name, title, tunables }) => tunables.map(({ name: tunable }) => [`${name}/${tunable}`, several ? t("list.pair", { name: localized(title), value: tunableName(tunable) }) : tunableName(tunable)])));
  fill($("tune-optimizer"), optimizers.map(({ name }) => [name, optimizerName(name)]));
  if ($("tune-dialog").open) showChosen();
  $("tune").disabled = false;
  $("tune-workers").max = String(Math.max(1, Math.min(64, cores)));
  setText($("tune-note"), t(goesOnAlone ? "tune.note" : "tune.note.here"));
  show(sure($("tune-workers").closest("label")), goesOnAlone);
  show($("tune"), games.some(({ tunables }) => tunables.length > 0));
}

export function mountTuning() {
  on("hello language", fillForm);
  on("hello", () => {
    view.live = null;
    view.starting = false;
    send({ type: "runs" });
    if (view.selected) send({ type: "run_open", run: view.selected });
  });
  on("runs", onRuns);
  on("run", onRun);
  on("tuning", onTuning);
  on("compiling", draw);
  on("error", onError);
  on("language", draw);
  $("tune").addEventListener("click", openTune);
  $("tune-form").addEventListener("submit", start);
  $("tune-stop").addEventListener("click", () => send({ type: "tune_stop", run: sure(view.selected) }));
  $("tune-resume").addEventListener("click", resume);
  $("tune-optimizer").addEventListener("change", showOptimizer);
  $("tune-what").addEventListener("change", showChosen);
  $("tune-article").addEventListener("click", asInTheArticle);
  on("tunable", onTunable);
  $("tune-settings").addEventListener("change", countEvaluations);
  $("tune-settings").addEventListener("click", countEvaluations);
  $("tune-play").addEventListener("click", letItPlay);
  $("tune-json").addEventListener("click", () => send({ type: "run_export", runs: [sure(view.selected)], format: "weights" }));
  $("tune-jsonl").addEventListener("click", () => send({ type: "run_export", runs: [sure(view.selected)], format: "jsonl" }));
  $("tune-svg").addEventListener("click", () => send({ type: "run_export", runs: [view.selected, view.compared].filter((run) => run !== null), format: "svg" }));
  onResize($("tune-curve"), draw);
}

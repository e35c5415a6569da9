// The tuning view: start a run, see it work, look at kept runs, compare two of them. The runs are the server's:
// they go on when the page is closed, and each page that asked for `runs` hears of them.

import { on } from "../base/bus.js";
import { compiling, fewCompilingWords } from "../base/compiling.js";
import { $, el, setText, show } from "../base/dom.js";
import { game, send } from "../desk/game.js";
import { localized, t } from "../base/i18n.js";
import { blameSetting, settingsFit, settingsOf, showSettings } from "../desk/methods.js";
import { announce, toast } from "../base/notify.js";
import { drawCurves } from "./curve.js";
import { figures, legend, optimizerName, runName, runRow, statusBadge, tunableName, verdict, weights } from "./parts.js";
import { refusalWords } from "../base/refusal.js";
import { letTunedPlay } from "../desk/watch.js";

/** Under which the browser keeps what optimisers are set to. */
const SHELF = "tune";

const view = {
  /** Kept runs, newest first. */
  runs: [],
  /** Run id -> its generations. */
  courses: new Map(),
  selected: null,
  compared: null,
  /** The run under way: { run, stage, evaluations, since: { evaluations, at } }, when this page first heard of it. */
  live: null,
  starting: false,
  drawn: false,
};

const runOf = (id) => view.runs.find((run) => run.id === id);
const running = () => view.runs.find(({ status }) => status === "running");

export function openTune() {
  const dialog = $("tune-dialog");
  if (dialog.open || !game.hello) return;
  dialog.showModal();
  dialog.scrollTop = 0;
  showOptimizer();
  send({ type: "runs" });
  if (running() ?? view.selected) select(running()?.id ?? view.selected);
  draw();
}

function select(id) {
  if (id === view.compared) view.compared = null;
  view.selected = id;
  send({ type: "run_open", run: id });
  draw();
}

/** From the list, which stands below: the run comes into view. */
function openRun(id) {
  select(id);
  $("tune-run").scrollIntoView({ block: "nearest" });
}

function compare(id) {
  view.compared = view.compared === id ? null : id;
  if (view.compared && !view.courses.has(id)) send({ type: "run_open", run: id });
  draw();
}

function start(event) {
  event.preventDefault();
  const form = $("tune-form");
  const bad = [...form.elements].find((field) => !field.dataset.param && !field.checkValidity());
  if (!settingsFit($("tune-settings"))) return;
  if (bad) {
    toast(t("tune.bad", { field: bad.closest("label").querySelector("span").textContent, low: bad.min, high: bad.max }), "warning");
    bad.focus();
    return;
  }
  const [name, tunable] = $("tune-what").value.split("/");
  const method = shownOptimizer();
  const settings = settingsOf(SHELF, method);
  const request = { type: "tune", game: name, tunable, optimizer: method.name, settings };
  for (const field of ["seed", "workers"]) request[field] = Number($(`tune-${field}`).value);
  if (!settings.iterations) request.evaluations = Number($("tune-evaluations").value);
  view.starting = send(request);
  draw();
}

function resume() {
  view.starting = send({ type: "tune_resume", run: view.selected, workers: Number($("tune-workers").value) || 1 });
  draw();
}

// -- what the server says -----------------------------------------------------------------------------------

function onRuns({ runs }) {
  const before = runOf(view.live?.run);
  view.runs = runs;
  const known = new Set(runs.map(({ id }) => id));
  for (const id of view.courses.keys()) if (!known.has(id)) view.courses.delete(id);
  if (!known.has(view.selected)) view.selected = null;
  if (!known.has(view.compared)) view.compared = null;
  const now = runOf(view.live?.run);
  if (now?.status !== "running") view.live = null;
  if (before?.status === "running" && now && now.status !== "running") announce(t("list.pair", { name: runName(now), value: t(`tune.status.${now.status}`) }));
  if (!view.selected && runs.length) {
    view.selected = (running() ?? runs[0]).id;
    if ($("tune-dialog").open) send({ type: "run_open", run: view.selected });
  }
  draw();
}

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

function onTuning({ run, stage, evaluations, course }) {
  const since = view.live?.run === run ? view.live.since : { evaluations, at: performance.now() };
  view.live = { run, stage, evaluations, since };
  if (view.courses.has(run) || run === view.selected) view.courses.set(run, [...(view.courses.get(run) ?? []), ...course]);
  draw();
}

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

function drawView(busy) {
  const run = runOf(view.selected);
  $("tune-start").disabled = busy || view.starting;
  show($("tune-run"), run !== undefined);
  show($("tune-none"), run === undefined);
  if (run) drawRun(run, busy);
  const context = { selected: view.selected, compared: view.compared, on: { open: openRun, compare, remove: (id) => send({ type: "run_delete", run: id }) } };
  keepFocus($("tune-runs"), () => $("tune-runs").replaceChildren(...view.runs.map((one) => runRow(one, newest(one), context))));
  show($("tune-kept"), view.runs.length > 0);
}

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
  for (const id of ["tune-play", "tune-json"]) $(id).disabled = !last;
  const judged = live?.evaluations ?? last?.evaluations ?? 0;
  $("tune-progress").value = judged / run.evaluations;
  show($("tune-progress"), status === "running");
  $("tune-figures").replaceChildren(...figures(run, judged, last, rate(live)));
  const other = runOf(view.compared);
  drawCurves($("tune-curve"), other ? [course, view.courses.get(other.id) ?? []] : [course]);
  $("tune-legend").replaceChildren(...legend([run, other].filter(Boolean).map(runName)));
  $("tune-weights").replaceChildren(...weights(run, last));
  $("tune-verdict").replaceChildren(...verdict(run));
}

const newest = (run) => view.courses.get(run.id)?.at(-1) ?? run.latest;

/** Evaluations a second since the page hears of the run; null when it is not under way. */
function rate(live) {
  if (!live || live.evaluations <= live.since.evaluations) return null;
  return (live.evaluations - live.since.evaluations) / Math.max(0.05, (performance.now() - live.since.at) / 1000);
}

/** A list that is drawn anew leaves the keyboard where it was. */
function keepFocus(box, redraw) {
  const { activeElement: active } = document;
  const place = box.contains(active) ? [active.closest("li").querySelector("[data-run]").dataset.run, active.dataset.testid] : null;
  redraw();
  if (place) box.querySelector(`[data-run="${place[0]}"]`)?.closest("li").querySelector(`[data-testid="${place[1]}"]`)?.focus();
}

const shownOptimizer = () => {
  const { name, params } = game.hello.optimizers.find(({ name }) => name === $("tune-optimizer").value);
  return { name, settings: params };
};

function showOptimizer() {
  showSettings($("tune-settings"), SHELF, shownOptimizer());
  countEvaluations();
}

/** With iterations, they say how many evaluations there are. */
function countEvaluations() {
  const { iterations, size } = settingsOf(SHELF, shownOptimizer());
  $("tune-evaluations").disabled = Boolean(iterations);
  if (iterations && size) $("tune-evaluations").value = size * (iterations + 1);
}

function letItPlay() {
  const run = runOf(view.selected);
  $("tune-dialog").close();
  letTunedPlay(run, game.hello.games.find(({ name }) => name === run.game).stages[run.tunable]);
}

function fillForm() {
  if (!game.hello) return;
  const { games, optimizers, cores } = game.hello;
  const fill = (select, options) => {
    const chosen = select.value;
    select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
    if (options.some(([value]) => value === chosen)) select.value = chosen;
  };
  const several = games.filter(({ tunables }) => tunables.length).length > 1;
  fill($("tune-what"), games.flatMap(({ name, title, tunables }) => tunables.map((tunable) => [`${name}/${tunable}`, several ? t("list.pair", { name: localized(title), value: tunableName(tunable) }) : tunableName(tunable)])));
  fill($("tune-optimizer"), optimizers.map(({ name }) => [name, optimizerName(name)]));
  if ($("tune-dialog").open) showOptimizer();
  $("tune-workers").max = Math.max(1, Math.min(64, cores));
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
  $("tune-stop").addEventListener("click", () => send({ type: "tune_stop", run: view.selected }));
  $("tune-resume").addEventListener("click", resume);
  $("tune-optimizer").addEventListener("change", showOptimizer);
  $("tune-settings").addEventListener("change", countEvaluations);
  $("tune-settings").addEventListener("click", countEvaluations);
  $("tune-play").addEventListener("click", letItPlay);
  $("tune-json").addEventListener("click", () => send({ type: "run_export", runs: [view.selected], format: "weights" }));
  $("tune-jsonl").addEventListener("click", () => send({ type: "run_export", runs: [view.selected], format: "jsonl" }));
  $("tune-svg").addEventListener("click", () => send({ type: "run_export", runs: [view.selected, view.compared].filter(Boolean), format: "svg" }));
  new ResizeObserver(draw).observe($("tune-curve"));
}

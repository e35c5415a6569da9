// The solver panel: a button for each method of the game. See it work, read and play what it found.

import { on } from "./bus.js";
import { $, el, icon, show } from "./dom.js";
import { game, gameInfo, lengthVaries, send } from "./game.js";
import { countMoves, moveWord, number, seconds, shortNumber, t } from "./i18n.js";
import { stageName } from "./names.js";
import { toast } from "./notify.js";
import { methodName, playLine, watching, toggle } from "./watch.js";

const MOST_RESULTS = 8;
/** before: the actions that led to where the solver began. */
const run = { solver: null, limit: 60, results: [], progress: null, before: [] };

function start(solver) {
  const limit = Number($("solve-seconds").value);
  if (!(limit > 0 && limit <= 3600)) {
    toast(t("solve.limit.bad"), "warning");
    return;
  }
  if (watching()) toggle(false);
  if (!game.state || game.flying || !send({ type: "solve", solver, seconds: limit })) return;
  Object.assign(run, { solver, limit, progress: null, before: game.history.actions.slice(0, game.state.ply) });
  draw();
}

function onProgress(progress) {
  if (run.solver === null) return;
  run.progress = progress;
  drawProgress();
}

function onResult(result) {
  Object.assign(run, { solver: null, progress: null });
  run.results.unshift({ ...result, before: run.before });
  run.results.length = Math.min(run.results.length, MOST_RESULTS);
  draw();
}

function stop() {
  if (run.solver === null) return;
  Object.assign(run, { solver: null, progress: null });
  draw();
}

function figure(key, value) {
  return el("div", {}, el("dt", {}, t(key)), el("dd", {}, value));
}

function drawProgress() {
  const { expanded = 0, seconds: passed = 0, stage = "" } = run.progress ?? {};
  $("solve-bar").value = Math.min(1, passed / run.limit);
  $("solve-bar").setAttribute("aria-label", t("solve.running", { name: methodName(run.solver ?? "") }));
  $("solve-figures").replaceChildren(
    figure("solve.stage", stageName(run.progress ?? { stage }, methodName(run.solver ?? ""))),
    figure("solve.nodes", shortNumber(expanded)),
    figure("solve.rate", passed > 0.05 ? shortNumber(expanded / passed) : "…"),
    figure("solve.time", seconds(passed)),
  );
}

/** What the line costs at best, as far as the method knows. */
function bound({ status, optimal, cost, lower_bound: low }) {
  if (!lengthVaries()) return null;
  if (status === "solved" && optimal) return t("solve.optimal");
  return low > 0 && low !== cost ? t("solve.bound", { n: number(low) }) : null;
}

/** The actions from top to bottom; those that the board has behind it are ticked. */
function clicks({ ply, session, before, actions, names }) {
  const { state, history } = game;
  const along = session === state?.session ? Math.min(state.ply, history.common([...before, ...actions])) : 0;
  const played = (i) => ply + i < along;
  return el("ol", { class: "clicks", tabindex: 0, "data-testid": "solve-clicks", "aria-label": t("solve.clicks", { move: moveWord(state?.game) }) },
    ...names.map((name, i) => el("li", { class: played(i) ? "played" : "" }, game.board?.describe(name) ?? name)));
}

function verdictText({ status, actions, cancelled }) {
  if (status === "solved") return t("solve.solved", { moves: countMoves(actions.length, game.state?.game) });
  if (status === "unsolvable") return t("solve.unsolvable");
  return t(cancelled ? "solve.cancelled" : "solve.budget");
}

function drawResult(result) {
  const { solver, status, ply, expanded, seconds: passed, session, before, actions } = result;
  const facts = [bound(result), t("solve.at", { move: moveWord(game.state?.game), ply: number(ply) }), t("solve.cost", { nodes: shortNumber(expanded), time: seconds(passed) })].filter(Boolean);
  const node = el("article", { class: `result ${status}`, "data-testid": "solve-result", "data-status": status },
    el("p", {}, icon({ solved: "check", unsolvable: "cross", budget: "question" }[status]), el("strong", {}, verdictText(result))),
    el("p", { class: "note" }, [methodName(solver), ...facts].join(" · ")));
  if (status === "solved" && actions.length && session === game.state?.session) {
    const play = () => playLine({ session, before, actions, solver });
    node.append(clicks(result));
    node.append(el("button", { type: "button", "data-testid": "solve-play", disabled: game.flying, onclick: play }, icon("play"), el("span", {}, t("solve.play"))));
  }
  return node;
}

function draw() {
  const running = run.solver !== null;
  for (const button of $("solve-methods").children) {
    button.disabled = running || game.flying || game.state?.standing !== "playing";
    button.classList.toggle("busy", running && button.dataset.solver === run.solver);
  }
  show($("solve-cancel"), running);
  show($("solve-progress"), running);
  if (running) drawProgress();
  $("solve-results").replaceChildren(...run.results.map(drawResult));
}

function fillMethods() {
  const info = gameInfo();
  if (!info) return;
  show($("solve-panel"), info.solvers.length > 0);
  $("solve-methods").replaceChildren(...info.solvers.map((name) =>
    el("button", { type: "button", "data-testid": `solve-${name}`, "data-solver": name, onclick: () => start(name) }, icon("search"), el("span", {}, methodName(name)))));
  draw();
}

export function mountSolver() {
  on("hello language", fillMethods);
  let shown = { session: null, game: null, code: null };
  on("state", (state) => {
    // After a cheat it is another level, and what was found out is about the old one.
    if (state.session !== shown.session || state.code !== shown.code) Object.assign(run, { results: [], solver: null, progress: null });
    const another = state.game !== shown.game;
    shown = state;
    if (another) fillMethods();
    else draw();
  });
  on("landed language", draw);
  on("progress", onProgress);
  on("result", onResult);
  on("error", ({ request }) => request === "solve" && stop());
  on("connection", (connected) => connected || stop());
  $("solve-cancel").addEventListener("click", () => send({ type: "cancel" }));
}

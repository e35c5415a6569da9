// The solver panel: run one method from the board, see it work, play what it found.

import { on } from "./bus.js";
import { $, el, icon, show } from "./dom.js";
import { game, gameInfo, send } from "./game.js";
import { number, seconds, shortNumber, t, tn } from "./i18n.js";
import { toast } from "./notify.js";
import { methodName, playLine, watching, toggle } from "./watch.js";

const MOST_RESULTS = 8;
const run = { solver: null, limit: 60, results: [], progress: null };

function start() {
  const limit = Number($("solve-seconds").value);
  if (!(limit > 0 && limit <= 3600)) {
    toast(t("solve.limit.bad"), "warning");
    return;
  }
  if (watching()) toggle(false);
  const solver = $("solve-method").value;
  if (!game.state || !send({ type: "solve", solver, seconds: limit })) return;
  Object.assign(run, { solver, limit, progress: null });
  draw();
}

function onProgress(progress) {
  if (run.solver === null) return;
  run.progress = progress;
  drawProgress();
}

function onResult(result) {
  Object.assign(run, { solver: null, progress: null });
  run.results.unshift(result);
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
    figure("solve.stage", stage || "…"),
    figure("solve.nodes", shortNumber(expanded)),
    figure("solve.rate", passed > 0.05 ? shortNumber(expanded / passed) : "…"),
    figure("solve.time", seconds(passed)),
  );
}

function verdictText({ status, actions, cancelled }) {
  if (status === "solved") return tn("solve.solved", actions.length);
  if (status === "unsolvable") return t("solve.unsolvable");
  return t(cancelled ? "solve.cancelled" : "solve.budget");
}

function drawResult(result) {
  const { solver, status, ply, expanded, seconds: passed, session, actions } = result;
  const facts = [t("solve.at", { ply: number(ply) }), t("solve.cost", { nodes: shortNumber(expanded), time: seconds(passed) })];
  const node = el("article", { class: `result ${status}`, "data-testid": "solve-result", "data-status": status },
    el("p", {}, icon({ solved: "check", unsolvable: "cross", budget: "question" }[status]), el("strong", {}, verdictText(result))),
    el("p", { class: "note" }, [methodName(solver), ...facts].join(" · ")));
  if (status === "solved" && actions.length && session === game.state?.session) {
    const play = () => playLine({ session, ply, actions, solver });
    node.append(el("button", { type: "button", "data-testid": "solve-play", onclick: play }, icon("play"), el("span", {}, t("solve.play"))));
  }
  return node;
}

function draw() {
  const running = run.solver !== null;
  $("solve-run").disabled = running || game.state?.standing !== "playing";
  $("solve-run").classList.toggle("busy", running);
  show($("solve-cancel"), running);
  show($("solve-progress"), running);
  if (running) drawProgress();
  $("solve-results").replaceChildren(...run.results.map(drawResult));
}

function fillMethods() {
  const info = gameInfo();
  if (!info) return;
  const select = $("solve-method");
  const chosen = select.value;
  select.replaceChildren(...info.solvers.map((name) => el("option", { value: name }, methodName(name))));
  select.value = chosen;
  if (!select.value) select.selectedIndex = 0;
}

export function mountSolver() {
  on("hello language", fillMethods);
  let session = null;
  on("state", (state) => {
    if (state.session !== session) run.results = [];
    session = state.session;
    draw();
  });
  on("language", draw);
  on("progress", onProgress);
  on("result", onResult);
  on("error", ({ request }) => request === "solve" && stop());
  on("connection", (connected) => connected || stop());
  $("solve-run").addEventListener("click", start);
  $("solve-cancel").addEventListener("click", () => send({ type: "cancel" }));
}

// How a game ended, to be shown to others: as a few lines of text, and as a picture. What the device shares with is
// asked for; where it has nothing the text is copied and the picture kept as a file.

import { handOn, hasShare, isLoopback, sharesByHand } from "../base/browser.js";
import { download, el, icon, sure } from "../base/dom.js";
import { game } from "./game.js";
import { clock, countMoves, number, t } from "../base/i18n.js";
import { dateWords, levelWords } from "./names.js";
import { playSeconds } from "./playtime.js";
import { toast } from "../base/notify.js";
import { qrCode } from "./qr.js";
import { ratingWord } from "./rating.js";
import { narrowing } from "./review.js";
import { copy, drawing, levelLink, shortest } from "./share.js";
/** @import { Lamp, State } from "../base/messages.js" */
/** narrow: still winnable, but the move left few that win.
 *  @typedef {Lamp["verdict"] | "narrow"} Square */

/** The course of a game is told in so many squares at most. */
const SQUARES = 10;
/** @type {Record<Square, string>} */
const SQUARE = { winnable: "🟩", narrow: "🟨", lost: "🟥", unknown: "⬜" };
/** @type {Record<Square, string>} */
const TONE = { winnable: "--won", narrow: "--open", lost: "--lost", unknown: "--line" };
const WIDTH = 1200, HEIGHT = 630, MARGIN = 72;
/** The width and height that the board's picture has at most, and the QR code below it. */
const BOARD = 320, CODE = 190;
/** Pixels a module of the code: less is not read off a screen. */
const LEAST_MODULE = 2;
/** Between words and what stands beside them. */
const GAP = 24;
/** Links are cut where they would run out of the picture. */
const MOST_ID = 64;

/** The verdicts along the line, evenly, and where it needlessly came to be nearly lost. @param {State} state @returns {Square[]} */
function course({ ply }) {
  const squares = Math.min(SQUARES, ply);
  const end = (/** @type {number} */ i) => Math.ceil((i * ply) / squares);
  return Array.from({ length: squares }, (_, i) => {
    const verdict = game.history.verdict(end(i + 1));
    const plies = Array.from({ length: end(i + 1) - end(i) }, (_, j) => end(i) + j);
    const isNarrow = verdict === "winnable" && plies.some((before) => (narrowing(before)?.better ?? null) !== null);
    return isNarrow ? "narrow" : verdict;
  });
}

/** @param {State} state */
function title(state) {
  const { game: name, level } = levelWords(state);
  return [name, state.day ? dateWords(state.day) : level, state.rating && ratingWord(state.rating)].filter(Boolean).join(" · ");
}

/** @param {State} state */
function outcome(state) {
  const { standing, view, ply, game: name, session, completion } = state;
  const moves = countMoves(ply, name);
  const told = standing === "over" ? (game.board?.result?.(view) ?? moves)
    : standing === "won" ? t("result.won", { moves, time: clock(playSeconds(session)) })
    : completion === null ? t("result.lost", { moves }) : t("result.lost.share", { moves, share: number(Math.round(completion * 100)) });
  return [told, ...(state.helped ? [t("result.helped")] : [])].join(" · ");
}

/** @param {State} state @param {number | null} stars */
function text(state, stars) {
  const squares = state.standing === "over" ? "" : course(state).map((verdict) => SQUARE[verdict]).join("");
  const earned = stars ? " " + "⭐".repeat(stars) : "";
  return [`winnable · ${title(state)}`, outcome(state) + earned, squares, wayThere(state)].filter(Boolean).join("\n");
}

/** A link to the level by which others come to it; null where there is none. @param {State} state */
const linkForOthers = (state) => (isLoopback ? null : levelLink(state));

/** How others come to the level. @param {State} state */
const wayThere = (state) => linkForOthers(state) ?? t("result.play", { level: shortest(state) });

/** Draws the QR code of the link to the level, black on white, and returns how wide that has become. @param {CanvasRenderingContext2D} pen @param {State} state */
async function drawCode(pen, state) {
  const link = linkForOthers(state);
  const code = link && (await qrCode(link));
  const module = code ? Math.floor(CODE / code.width) : 0;
  if (!code || module < LEAST_MODULE) return 0;
  const width = module * code.width;
  pen.save();
  pen.translate(WIDTH - MARGIN - width, HEIGHT - GAP - width);
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, width, width);
  pen.scale(module, module);
  pen.fillStyle = "#000";
  pen.fill(new Path2D(code.path));
  pen.restore();
  return width;
}

/** @param {State} state @param {number | null} stars */
async function picture(state, stars) {
  const canvas = el("canvas", { width: WIDTH, height: HEIGHT });
  const pen = sure(canvas.getContext("2d"));
  /** As it is now, in light or dark. @param {string} name */
  const colour = (name) => {
    const probe = el("i", { style: `color: var(${name})` });
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  /** @param {string} words @param {number} y @param {string} font @param {string} tone */
  const write = (words, y, font, tone) => {
    pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
    pen.fillStyle = colour(tone);
    const beside = y < MARGIN + BOARD ? boardWidth : codeWidth;
    pen.fillText(words, MARGIN, y, WIDTH - 2 * MARGIN - (beside && beside + GAP));
  };
  pen.fillStyle = colour("--panel");
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  // What a game without a goal came to is its last board; of the others everybody may see the first.
  const board = await drawing(state, state.standing === "over" ? state.ply : 0);
  const shrunk = Math.min(BOARD / board.width, BOARD / board.height);
  const boardWidth = board.width * shrunk;
  pen.drawImage(board, WIDTH - MARGIN - boardWidth, MARGIN, boardWidth, board.height * shrunk);
  const codeWidth = await drawCode(pen, state);
  write("winnable", 112, "700 44px", "--accent");
  write(levelWords(state).game, 210, "700 76px", "--ink");
  write(state.day ? dateWords(state.day) : levelWords(state).level, 270, "500 36px", "--muted");
  if (state.rating) write(ratingWord(state.rating), 322, "500 36px", "--muted");
  write(outcome(state), 430, "600 42px", "--ink");
  const verdicts = state.standing === "over" ? [] : course(state);
  verdicts.forEach((verdict, i) => {
    pen.fillStyle = colour(TONE[verdict]);
    pen.beginPath();
    pen.roundRect(MARGIN + i * 62, 470, 50, 50, 10);
    pen.fill();
  });
  if (stars) write("★".repeat(stars), 380, "500 46px", "--star");
  write(shortest(state).slice(0, MOST_ID), 582, "400 26px", "--muted");
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  return sure(blob);
}

/** @param {number | null} stars */
async function shareText(stars) {
  const words = text(sure(game.state), stars);
  if (!hasShare || !(await handOn({ text: words }))) await copy(words, "result.copied");
}

/** On a phone to whom the person chooses, else as a file. @param {number | null} stars */
async function sharePicture(stars) {
  const state = sure(game.state);
  const name = `winnable-${state.game}-${state.day ?? state.standing}.png`;
  try {
    const drawn = await picture(state, stars);
    const files = [new File([drawn], name, { type: drawn.type })];
    if (!sharesByHand() || !(await handOn({ files, text: text(state, stars) }))) download(name, drawn);
  } catch (error) {
    toast(String(error), "error");
  }
}

/** @param {number | null} stars What the game earned; null when nobody can tell. */
export function resultButtons(stars) {
  return [
    el("button", { type: "button", "data-testid": "share-result", onclick: () => shareText(stars) }, icon(hasShare ? "share" : "copy"), el("span", {}, t(hasShare ? "result.share" : "result.copy"))),
    el("button", { type: "button", "data-testid": "share-picture", onclick: () => sharePicture(stars) }, icon("picture"), el("span", {}, t("result.picture"))),
  ];
}

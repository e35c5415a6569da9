// A level as something to hand on: its identity or its board as text, and a link that opens it.

import { copyText, handOn, sharesByHand } from "../base/browser.js";
import { on } from "../base/bus.js";
import { $, el, setText, show } from "../base/dom.js";
import { game, gameInfo, send } from "./game.js";
import { t } from "../base/i18n.js";
import { toast } from "../base/notify.js";
/** @import { LinkEvent, State, Written } from "../base/messages.js" */

/** An address can hold more, but what people paste it into often cannot. */
const MOST_LINK = 8000;
/** The format of what is no text to copy. */
const DRAWING = "svg";
/** Ends the id of a level that was made easier: what is handed on is the level itself. */
const CHEATED = /\+$/;

/** What stands behind the page's address, for the server to read; empty where nothing does. */
export function linked() {
  try {
    return decodeURIComponent(location.hash);
  } catch {
    return location.hash; // a lone % sign: the server says what it thinks of it
  }
}

/** An identity or a shipped level's name where there is one: the shortest that gives the same level anywhere.
 *  @param {State} state */
export function shortest({ game: name, level_id: id, code }) {
  const plain = id.replace(CHEATED, "");
  return plain.startsWith(`${name}:`) || plain.startsWith(`${name}/`) ? plain : `${name}:${code}`;
}

/** @param {string} text @param {string} message */
export async function copy(text, message, values = {}) {
  toast((await copyText(text)) ? t(message, values) : text);
}

/** What opens the level in this studio; null where it would be too long. @param {State} state */
export function levelLink(state) {
  const link = addressOf(shortest(state));
  return link.length > MOST_LINK ? null : link;
}

/** An identity has a `#` of its own, of which an address has one only. @param {string} link */
const addressOf = (link) => `${location.origin}${location.pathname}#${encodeURI(link).replaceAll("#", "%23")}`;

/** Does something with the link to the level on the board, if there is one. @param {(link: string) => void} work */
export function withLink(work) {
  const link = game.state && levelLink(game.state);
  if (link) work(link);
  else if (game.state) toast(t("share.long"), "warning");
}

/** On a phone to whom the person chooses, else into the clipboard. @param {string} link @param {string} message */
async function handLink(link, message) {
  if (!sharesByHand() || !(await handOn({ url: link }))) await copy(link, message);
}

/** @param {LinkEvent} event */
function onLink({ session, link }) {
  if (session !== game.state?.session) return;
  if (link === null) toast(t("share.moves.long"), "warning");
  else handLink(addressOf(link), "share.moves.done");
}

function drawLinks() {
  setText($("copy-link-label"), t(sharesByHand() ? "share.link.on" : "share.link"));
  setText($("copy-moves-label"), t(sharesByHand() ? "share.moves.on" : "share.moves"));
  show($("copy-moves"), Boolean(game.state?.length));
}

/** A button for each format of other programs. */
function drawFormats() {
  const { name = "", formats = [] } = gameInfo() ?? {};
  show($("copy-as"), formats.length > 0);
  $("copy-as-formats").replaceChildren(...formats.map((format) =>
    el("button", { type: "button", "data-testid": `copy-${format}`, onclick: () => send({ type: "write", format }) }, t(`format.${name}.${format}`))));
}

/** @param {Written} written */
function onWritten({ session, format, content }) {
  if (session !== game.state?.session || format === DRAWING) return;
  copy(content, "share.as.done", { format: t(`format.${game.state.game}.${format}`) });
}

/** The board after so many moves, as a picture; that of the game where the server does not answer.
 *  @param {State} state @param {number} ply */
export async function drawing({ session, game: name }, ply) {
  const image = el("img", { alt: "" });
  /** @type {Promise<string>} */
  const drawn = new Promise((resolve) => {
    const stop = on("written", (written) => {
      if (written.session !== session || written.format !== DRAWING) return;
      stop();
      resolve(`data:image/svg+xml,${encodeURIComponent(written.content)}`);
    });
  });
  image.src = send({ type: "write", format: DRAWING, ply }) ? await drawn : `pictures/${name}.svg`;
  await image.decode();
  return image;
}

export function mountShare() {
  $("copy-link").addEventListener("click", () => withLink((link) => handLink(link, "share.link.done")));
  $("copy-moves").addEventListener("click", () => send({ type: "link" }));
  $("copy-code").addEventListener("click", () => game.state && copy(game.state.code, "share.code.done"));
  $("level-id").addEventListener("click", () => game.state && copy(shortest(game.state), "level.copied"));
  on("state hello language", drawFormats);
  on("state language", drawLinks);
  on("link", onLink);
  on("written", onWritten);
  on("state language", () => ($("level-id").title = `${t("level.copy")} (${game.state ? shortest(game.state).slice(0, 80) : ""})`));
}

// A level as something to hand on: its identity or its board as text, and a link that opens it.

import { copyText } from "../base/browser.js";
import { on } from "../base/bus.js";
import { $, el, show } from "../base/dom.js";
import { game, gameInfo, send } from "./game.js";
import { t } from "../base/i18n.js";
import { toast } from "../base/notify.js";
/** @import { Hello, State, Written } from "../base/messages.js" */

/** `/#GAME:BOARD`, `/#GAME:PARAMETERS#SEED`, `/#GAME/LEVEL`; `/#level=` may stand before it. */
const LINK = /^#(?:level=)?((\w+)[:/].+)$/s;
/** An address can hold more, but what people paste it into often cannot. */
const MOST_LINK = 8000;
/** The format of what is no text to copy. */
const DRAWING = "svg";
/** Ends the id of a level that was made easier: what is handed on is the level itself. */
const CHEATED = /\+$/;

/** The level that the page's address names; undefined when it names none. @param {Hello | null} hello */
export function linkedLevel(hello) {
  let hash = location.hash;
  try {
    hash = decodeURIComponent(hash);
  } catch {
    // a lone % sign: the server says what it thinks of it
  }
  const [, level, name] = LINK.exec(hash) ?? [];
  return hello?.games.some((info) => info.name === name) ? level : undefined;
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
  const link = `${location.origin}${location.pathname}#${shortest(state)}`;
  return link.length > MOST_LINK ? null : link;
}

function copyLink() {
  if (!game.state) return;
  const link = levelLink(game.state);
  if (link === null) toast(t("share.long"), "warning");
  else copy(link, "share.link.done");
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
  $("copy-link").addEventListener("click", copyLink);
  $("copy-code").addEventListener("click", () => game.state && copy(game.state.code, "share.code.done"));
  $("level-id").addEventListener("click", () => game.state && copy(shortest(game.state), "level.copied"));
  on("state hello language", drawFormats);
  on("written", onWritten);
  on("state language", () => ($("level-id").title = `${t("level.copy")} (${game.state ? shortest(game.state).slice(0, 80) : ""})`));
}

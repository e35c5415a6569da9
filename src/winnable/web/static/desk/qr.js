// QR codes of links: to be read off a screen by a phone, or off a wall by a class.

import { isLoopback } from "../base/browser.js";
import { on } from "../base/bus.js";
import { $, el, openDialog, setText, show, svg } from "../base/dom.js";
import { send } from "./game.js";
import { t } from "../base/i18n.js";
import { copy, withLink } from "./share.js";

/** Light modules around the code, without which nothing reads it. */
const QUIET = 4;

/** The code's dark modules as the path of a drawing, and how many modules wide it is, the light ones around it counted;
 *  null where the text is too long, or nobody answers. @param {string} text */
export async function qrCode(text) {
  /** @type {Promise<string[] | null>} */
  const answer = new Promise((resolve) => {
    const stop = on("qr", (code) => {
      if (code.text !== text) return;
      stop();
      resolve(code.rows);
    });
  });
  const rows = send({ type: "qr", text }) ? await answer : null;
  if (!rows) return null;
  const runs = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`));
  return { path: runs.join(""), width: rows.length + 2 * QUIET };
}

/** As large as the window lets it be, with the link below. @param {string} heading @param {string} link */
export async function showCode(heading, link) {
  setText($("qr-heading"), t(heading));
  $("qr-link").value = link;
  $("qr-code").replaceChildren();
  show($("qr-alone"), isLoopback);
  openDialog($("qr-dialog"));
  const code = await qrCode(link);
  if ($("qr-link").value !== link) return;
  $("qr-code").replaceChildren(!code ? el("p", {}, t("qr.long")) :
    svg("svg", { viewBox: `0 0 ${code.width} ${code.width}`, role: "img", "aria-label": t("qr.label"), "shape-rendering": "crispEdges", "data-testid": "qr-drawn" }, svg("path", { d: code.path })));
}

export function mountCode() {
  show($("phone"), !isLoopback);
  $("phone").addEventListener("click", () => showCode("qr.phone", location.origin + location.pathname));
  $("qr").addEventListener("click", () => withLink((link) => showCode("qr.heading", link)));
  $("qr-copy").addEventListener("click", () => copy($("qr-link").value, "qr.copied"));
}

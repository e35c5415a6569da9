// What a page says while it has no connection, and why it has none.

import { $, show, sure } from "./dom.js";
import { has, t } from "./i18n.js";
import { toast } from "./notify.js";

/** What was sent is lost, and the connection back at once: the banner alone would hardly be seen. */
const TOO_BIG = 1009;

/** code: of the end of the connection. @param {boolean} connected @param {number} [code] */
export function drawOffline(connected, code) {
  show($("offline"), !connected);
  if (connected) return;
  const key = has(`closed.${code}`) ? `closed.${code}` : "connection.lost";
  const words = sure($("offline").querySelector("[data-i18n]"));
  words.dataset.i18n = key;
  words.textContent = t(key);
  if (code === TOO_BIG) toast(t(key), "error");
}

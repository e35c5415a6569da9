// What makes the site work without a network, and how a new version of it comes: told when it is there, used when a
// page is opened the next time. A page that came by http over a local network has nothing of that, and plays on.

import { t } from "/static/base/i18n.js";
import { toast } from "/static/base/notify.js";

const service = navigator.serviceWorker;

/** Once the page has all that it needs itself. */
export async function keepOffline() {
  if (!service) return;
  try {
    await service.register(new URL("../../service.js", import.meta.url));
    const { active } = await service.ready;
    active?.postMessage("look");
  } catch (error) {
    console.warn(error); // a browser that keeps nothing still plays
  }
}

/** Before anything is played: a version that waits takes over, and the page comes anew. */
export function takeNewest() {
  if (!service) return;
  service.onmessage = ({ data: { asked, holds } }) => {
    if (!holds) return;
    if (asked === "look") toast(t("site.updated"));
    else location.reload();
  };
  service.controller?.postMessage("take newest");
}

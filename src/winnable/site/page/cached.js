// What makes the site work without a network, and how a new version of it comes: told when it is there, used when a
// page is opened the next time. A page that came by http over a local network has nothing of that, and plays on.

import { t } from "/static/base/i18n.js";
import { toast } from "/static/base/notify.js";

/** Once the page has all that it needs itself. */
export async function keepOffline() {
  if (!navigator.serviceWorker) return;
  try {
    const here = await navigator.serviceWorker.register(new URL("../../service.js", import.meta.url));
    if (here.waiting && navigator.serviceWorker.controller) return told();
    here.addEventListener("updatefound", () => {
      const { installing } = here;
      if (navigator.serviceWorker.controller) installing?.addEventListener("statechange", () => installing.state === "installed" && told());
    });
  } catch (error) {
    console.warn(error); // a browser that keeps nothing still plays
  }
}

const told = () => toast(t("site.updated"));

/** Before anything is played: a version that waits takes over, and the page comes anew. */
export async function takeNewest() {
  const here = await navigator.serviceWorker?.getRegistration();
  if (!here?.waiting || !navigator.serviceWorker.controller) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  here.waiting.postMessage("take over");
}

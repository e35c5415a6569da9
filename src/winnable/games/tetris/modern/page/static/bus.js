// The page's bus as the arcade uses it: with the events of its own server and of its own parts.

import * as bus from "/static/base/bus.js";
/** @import { CabinetEvents } from "./events.js" */
/** @import { Bus } from "/static/base/events.js" */

export const { on, emit } = /** @type {Bus<CabinetEvents>} */ (/** @type {unknown} */ (bus));

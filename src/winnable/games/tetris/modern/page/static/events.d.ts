// What the parts of the arcade tell each other.

import type { ByType, PageEvents } from "/static/base/events.js";
import type { Hint, ServerEvent, Table } from "./messages.js";
import type { options } from "./options.js";
import type { Events, Observation } from "./views.js";

export interface CabinetEvents extends Pick<PageEvents, "language" | "settings">, ByType<ServerEvent> {
  "arcade-table": Table;
  "arcade-phase": Table["phase"];
  /** What changed of what is seen. */
  "arcade-seen": Partial<Observation>;
  /** What happened in one frame. */
  "arcade-event": Events;
  /** The style of the bot that plays; null: the person does. */
  "arcade-bot": string | null;
  "arcade-hint": Hint | null;
  /** The person lets the bot play on by single steps. */
  "arcade-stepping": void;
  "arcade-options": keyof typeof options;
}

// What the parts of the page tell each other: events.d.ts lists it. Server events arrive under their own `type`.

/** @import { Bus, StudioEvents } from "./events.js" */

/** @type {Map<string, ((data: any) => unknown)[]>} */
const listeners = new Map();

/** @type {Bus<StudioEvents>["on"]} */
export const on = (types, listener) => {
  const names = types.split(" ");
  const added = /** @type {(data: any) => unknown} */ (/** @type {unknown} */ (listener));
  for (const type of names) listeners.set(type, [...(listeners.get(type) ?? []), added]);
  return () => {
    for (const type of names) listeners.set(type, (listeners.get(type) ?? []).filter((other) => other !== added));
  };
};

/** @type {Bus<StudioEvents>["emit"]} */
export const emit = (type, ...data) => {
  for (const listener of listeners.get(type) ?? []) listener(data[0]);
};

// What the parts of the page tell each other. Server events arrive under their own `type` (see events.py);
// the page's own are: `language`, `settings`, `connection`, `board` (a board was made), `verdicts` (what is
// known of the game changed), `sent` (a request went out), `watch` (it started, stopped or changed), `act` (the person is about to change
// the board), `landed` (the motion that followed an action has come to its end), `par`
// (the fewest actions that win from the start became known), `view` (the front page came, or a game), `helped` (a game had help), `told` (a screen reader heard what the state is).

const listeners = new Map();

/** Returns what ends it. */
export function on(types, listener) {
  const names = types.split(" ");
  for (const type of names) listeners.set(type, [...(listeners.get(type) ?? []), listener]);
  return () => names.forEach((type) => listeners.set(type, listeners.get(type).filter((other) => other !== listener)));
}

/** Calls the listeners in the order in which they came. */
export function emit(type, data) {
  for (const listener of listeners.get(type) ?? []) listener(data);
}

// What the parts of the page tell each other. Server events arrive under their own `type` (see protocol.py);
// the page's own are: `language`, `settings`, `connection`, `board` (a board was made), `verdicts` (what is
// known of the game changed), `sent` (a request went out), `watch` (it started, stopped or changed), `act` (the person is about to change
// the board).

const listeners = new Map();

export function on(types, listener) {
  for (const type of types.split(" ")) {
    if (!listeners.has(type)) listeners.set(type, []);
    listeners.get(type).push(listener);
  }
}

/** Calls the listeners in the order in which they came. */
export function emit(type, data) {
  for (const listener of listeners.get(type) ?? []) listener(data);
}

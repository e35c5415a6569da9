// The way to the studio: one JSON object a message, and a new try after each loss.

import { reach } from "./host.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
/** The close code of a page that was idle when another one needed its place. */
const MADE_ROOM = 4001;

/** @template {{ type: string }} Sent @template {{ type: string }} Event */
export class Connection {
  /** @type {ReturnType<typeof reach>} */
  socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * onEvent: hears what the studio says. onStatus: of each change, with the code of the end. page: of a game, which it is.
   * @param {{
   *   onEvent: (event: Event) => void,
   *   onStatus: (connected: boolean, code?: number) => void,
   *   page?: string,
   * }} options
   */
  constructor({ onEvent, onStatus, page = "" }) {
    this.page = page;
    this.onEvent = onEvent;
    this.onStatus = onStatus;
    this.connected = false;
    this.wait = FIRST_WAIT;
    // A laptop that wakes up or gets its network back should not sit out the rest of the wait.
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = reach(this.page);
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const event = JSON.parse(data);
      if (event.type === "hello") {
        this.wait = FIRST_WAIT;
        this.connected = true;
        this.onStatus(true);
      }
      this.onEvent(event);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket !== this.socket) return;
      this.connected = false;
      this.onStatus(false, code);
      if (code === MADE_ROOM) return this.waitForPerson();
      this.timer = setTimeout(() => this.open(), this.wait * (0.8 + 0.4 * Math.random()));
      this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
    });
  }

  /** Somebody else sits there now, who may be idle soon: the page comes back when it is used. */
  waitForPerson() {
    for (const sign of ["pointerdown", "keydown", "focus"]) addEventListener(sign, () => this.retry(), { once: true });
  }

  /** Tries at once when nothing is under way. */
  retry() {
    if (this.socket.readyState === WebSocket.CLOSED) this.open();
  }

  /** False when there is no connection: nothing is queued, because the board could have changed meanwhile.
   *  @param {Sent} request */
  send(request) {
    if (!this.connected || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }
}

// What the parts of a page tell each other over bus.js, by name; a page may have a table of its own, and rooms
// above, as games do, add to this one what they tell.

import type { PageRequest, ServerEvent } from "./messages.js";
import type { Settings } from "./settings.js";

/** The server's events, each under its `type`. */
export type ByType<E extends { type: string }> = { [One in E as One["type"]]: One };

/** The page's own. */
export interface PageEvents {
  language: string;
  settings: Settings;
  connection: boolean;
  /** What is known of the game changed. */
  verdicts: void;
  /** A request went out. */
  sent: PageRequest;
  /** Watching started, stopped or changed. */
  watch: boolean;
  /** The person is about to change the board. */
  /** What a person does with the game: whatever watches stops. */
  act: void;
  /** An action of the person: in the automatic game the player goes on from there. */
  joined: void;
  /** The motion that followed an action has come to its end. */
  landed: void;
  /** The fewest actions that win from the start became known. */
  par: void;
  /** What is known of the days of daily levels came. */
  today: void;
  /** The front page came, or a game. */
  view: string;
  /** A screen reader heard what the state is. */
  told: void;
}

export type StudioEvents = PageEvents & ByType<ServerEvent>;

/** The names in "hello state". */
type Names<S extends string> = S extends `${infer One} ${infer Others}` ? One | Names<Others> : S;

export interface Bus<Events> {
  /** Returns what ends it. */
  on<S extends string>(
    types: S & (Names<S> extends keyof Events ? string : never),
    listener: (data: Events[Names<S> & keyof Events]) => unknown,
  ): () => void;
  /** Calls the listeners in the order in which they came. */
  emit<K extends keyof Events>(type: K, ...data: Events[K] extends void ? [] : [Events[K]]): void;
}

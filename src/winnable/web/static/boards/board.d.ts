// The interface of all boards. A game's drawing module, `page/board.js` in its folder, exports `createBoard` and, where
// boards can be drawn, `createEditor`; the rest of the page knows only what stands here. Rules stay on the server: an
// action can be taken when `legal` holds it.

import type { Icon } from "../base/dom.js";
import type { number, t, tn } from "../base/i18n.js";
import type { Explained, Judged } from "../base/messages.js";

export type Translate = typeof t;
export type Count = typeof number;

/** What the page gives to a board. */
export interface BoardPage {
  /** False when it could not be sent. */
  onAction(action: number): boolean;
  /** Like it, but goes back to the ply first. */
  onActFrom(ply: number, action: number): boolean;
  /** Shows or hides why it takes so many actions; undefined: nothing explains it. Its button has the class `explain`:
   *  before the answer to a card it is not there. */
  onExplain?: () => void;
  t: Translate;
  number: Count;
}

/** What led to a state. */
export interface Motion<Frame = unknown> {
  /** Whether `action` led here; "back": it was taken back. */
  animate?: boolean | "back";
  action?: number | null;
  /** The server's trace of the action when the game has one: to be shown first; then onLanded() is called. */
  frames?: Frame[] | null;
  onLanded?: () => void;
  ply?: number;
  /** The fewest actions that win from the start; null while nobody knows. */
  par?: number | null;
}

/** A button beside the board. action: null while it is off. */
export interface Extra {
  id: string;
  label: string;
  icon: Icon;
  uses: number;
  action: number | null;
}

/** View: what the game's `observe` shows. Frame: what its `trace` shows of each step. */
export interface Board<View = unknown, Frame = unknown> {
  /** Draws the state. legal: the actions, null when each one of the level is. It cuts short what is still in motion. */
  render(view: View, legal: number[] | null, motion?: Motion<Frame>): void;
  /** Points at an action (the hint); gone with the next render. */
  highlight(action: number | null): void;
  /** Marks the tiles or cells that a reason names, for as long as no others are. */
  mark?(actions: number[]): void;
  /** The keyboard's cursor; dx, dy are -1, 0 or 1. */
  moveCursor(dx: number, dy: number): void;
  /** An action's name from the server in the person's language. */
  describe(name: string): string;
  /** The same with its place, where one reads it away from the board; else `describe`. */
  locate?(name: string): string;
  /** The same in a list of actions, in all notations; else `describe`. */
  spell?(name: string): string;
  /** One line that tells the state, and what led to it, to a screen reader. */
  status(view: View, frames?: Frame[] | null): string;
  /** How many actions a win takes from here, when the game says so. */
  remaining(view: View): number | null;
  extras(view: View, legal: number[] | null): Extra[];
  /** The language changed. */
  relabel(): void;
  destroy(): void;

  /** Takes the action under the cursor. */
  pickCursor?(): void;
  /** Whether WASD and HJKL are arrow keys; with Shift they are the page's. */
  lettersMove?: boolean;
  /** Makes heard what an action led to; else one tone tells that it was taken. frames: see Motion, also when none are shown. */
  sound?(view: View, before: View, frames: Frame[] | null): void;
  /** What a win with so many actions earns, 0 to 3; null when nobody knows the par. */
  stars?(view: View, ply: number, par: number | null): number | null;
  /** What to expect after each action; gone with the next render. asked: whether values are asked for in this game. */
  showValues?(values: Record<number, number> | null, asked: boolean, chances: boolean): void;
  /** Shows the server's `explained`, or puts it away. */
  explain?(event: Explained | null): void;
  /** What a game without a goal came to. */
  result?(view: View): string;
  /** What its end is called, if not "game over". */
  endTitle?(view: View): string | null;
  /** What the editor opens on, if not the level. */
  codeToEdit?(): string;
}

/** What the page gives to an editor. onChange: to be called after each change of the drawing. */
export interface EditorPage {
  t: Translate;
  tn: typeof tn;
  number: Count;
  onChange(): void;
}

/** kind: good, bad or open. */
export interface EditorVerdict {
  text: string;
  kind: "good" | "bad" | "open";
}

/** See editor.js; board-editor.js has what editors of boards of cells share. */
export interface Editor {
  /** Takes a board in the game's notation; false, and nothing has changed, when it is none. */
  read(text: string): boolean;
  /** The drawing in that notation: to play it. */
  code(): string;
  /** The same, to have it judged; empty when this is no board yet. */
  question(): string;
  /** What the server's answer means; null before the first. */
  verdict(judged: Judged | null): EditorVerdict;
  /** Takes what the server made of the drawing so that it can be won, and shows what is different; else it is read. */
  mended?(text: string): void;
  relabel(): void;
  destroy(): void;
}

export interface BoardModule<View = unknown, Frame = unknown> {
  createBoard(container: HTMLElement, page: BoardPage): Board<View, Frame>;
  createEditor?(container: HTMLElement, page: EditorPage): Editor;
}

declare module "../base/events.js" {
  interface PageEvents {
    /** A board was made. */
    board: Board;
  }
}

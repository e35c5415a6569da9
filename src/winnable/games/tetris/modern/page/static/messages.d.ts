// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.

export interface Handling {
  das?: number;
  arr?: number;
  soft?: number | "instant";
}

export interface Start {
  type: "start";
  mode?: "endless" | "marathon" | "sprint" | "zen";
  rules?: "article" | "guideline";
  lines?: number | null;
  start_level?: number;
  dice?: number | null;
  fumen?: string;
  handling?: Handling;
}

export interface Open {
  type: "open";
  session: string;
}

export interface Keys {
  type: "keys";
  held: number;
}

export interface Go {
  type: "go";
}

export interface Pause {
  type: "pause";
}

export interface TheBot {
  type: "bot";
  style?: "attack" | "marathon" | "sprint";
  by?: string;
}

export interface Hands {
  type: "hands";
}

export interface Advance {
  type: "advance";
  to?: "lock" | "move";
}

export interface AskHint {
  type: "hint";
  style?: "attack" | "marathon" | "sprint";
  by?: string;
}

export interface Appraise {
  type: "appraise";
  style?: "attack" | "marathon" | "sprint" | null;
}

export interface Watch {
  type: "watch";
}

export interface Load {
  type: "load";
  content: string;
}

export interface Speed {
  type: "speed";
  times: number | null;
}

export interface Leave {
  type: "leave";
}

export interface Save {
  type: "save";
}

export interface Copy {
  type: "copy";
}

export type PageRequest = Start | Open | Keys | Go | Pause | TheBot | Hands | Advance | AskHint | Appraise | Watch | Load | Speed | Leave | Save | Copy;

export interface TunedInfo {
  name: string;
  tunable: string;
}

export interface Hello {
  type: "hello";
  version: string;
  shapes: Record<string, Array<Array<[number, number]>>>;
  players: Array<string>;
  tuned: Array<TunedInfo>;
}

export interface LevelInfo {
  mode: "endless" | "marathon" | "sprint" | "zen";
  rules: "article" | "guideline";
  start_level: number;
  dice: number;
}

export interface Table {
  type: "table";
  session: string;
  phase: "over" | "paused" | "playing";
  level: LevelInfo;
  handling: Handling;
  frame: number;
  seen: Record<string, unknown>;
  length: number | null;
  style: string | null;
  by_bot: boolean;
}

export interface Frame {
  type: "frame";
  frame: number;
  seen: Record<string, unknown>;
  events: Array<Record<string, unknown>>;
}

export interface PhaseEvent {
  type: "phase";
  phase: "over" | "paused" | "playing";
}

export interface FumenEvent {
  type: "fumen";
  text: string;
}

export interface BotEvent {
  type: "bot";
  style: string | null;
  by_bot: boolean;
}

export interface Compiling {
  type: "compiling";
  game: string;
  part: string | null;
  done: number;
  total: number;
  seconds: number;
}

export interface Hint {
  type: "hint";
  placed: number;
  piece: string;
  cells: Array<[number, number]>;
  path: Array<string>;
}

export interface Appraisal {
  type: "appraisal";
  value: number;
}

export interface Taken {
  type: "taken";
}

export interface FileEvent {
  type: "file";
  name: string;
  content: string;
}

export interface ErrorEvent {
  type: "error";
  request: string;
  message: string;
  code: string;
  values: Record<string, unknown>;
  field: string;
}

export type ServerEvent = Hello | Table | Frame | PhaseEvent | FumenEvent | BotEvent | Compiling | Hint | Appraisal | Taken | FileEvent | ErrorEvent;

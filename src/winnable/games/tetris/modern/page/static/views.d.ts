// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.

export interface Observation {
  rows: Array<string>;
  piece: string;
  turn: number;
  cells: Array<[number, number]>;
  ghost: Array<[number, number]>;
  hold: string;
  can_hold: boolean;
  following: Array<[string, number]>;
  score: number;
  lines: number;
  goal: number | null;
  level: number;
  attack: number;
  combo: number;
  back_to_back: number;
  placed: number;
  frames: number;
  last: string;
  events: [boolean, boolean, boolean, number, Array<[number, number]>, Array<number>, string, number, boolean, boolean, boolean, boolean];
  status: string;
}

export interface Events {
  moved?: boolean;
  turned?: boolean;
  held?: boolean;
  dropped?: number;
  locked?: Array<[number, number]>;
  cleared?: Array<number>;
  clear?: string;
  combo?: number;
  chained?: boolean;
  perfect?: boolean;
  level_up?: boolean;
  emptied?: boolean;
}

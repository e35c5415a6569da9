// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.

export interface Observation {
  rows: number;
  columns: number;
  cells: Array<number>;
  legal: Array<number>;
  score: number;
  moves: number;
  goal: number;
  reached: boolean;
  status: string;
}

export interface Frame {
  cells: Array<number>;
  shifts: Array<[number, number, boolean]>;
  reward: number;
  appeared: number | null;
}

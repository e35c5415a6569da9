// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.

export interface Observation {
  rows: number;
  columns: number;
  cells: Array<number>;
  left: number | null;
  mode: string;
  bursts: number;
  every: number | null;
  rules: string;
  open: boolean;
  round: number | null;
  par: number | null;
  status: string;
}

export interface Flying {
  row: number;
  column: number;
  direction: string;
}

export interface Frame {
  tick: number;
  cells: string;
  flying: Array<Flying>;
  burst: Array<number>;
  bursts: number;
}

export interface Group {
  cells: number;
  water: number;
  lost: number;
  lacks: number;
  bound: number;
}

export interface Line {
  index: number;
  group: number;
  cells: number;
  lost: number;
}

export interface Explanation {
  groups: Array<Group>;
  rows: Array<Line>;
  columns: Array<Line>;
  bound: number;
  open: boolean;
}

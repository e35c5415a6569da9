// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.

export interface Observation {
  rows: number;
  columns: number;
  rules: string;
  cells: Array<number>;
  clusters: Array<number>;
  excess: number;
  finished: Array<number>;
  score: number;
  left: number | null;
  par: number | null;
  best: number | null;
  status: string;
}

export interface Frame {
  left: number;
  top: number;
  side: number;
  quarters: number;
  cells: Array<number>;
}

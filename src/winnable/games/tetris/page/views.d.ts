// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.

export interface Observation {
  width: number;
  height: number;
  wall: Array<string>;
  piece: string;
  shapes: Array<Array<string>>;
  landings: Array<Array<number>>;
  following: string;
  following_shape: Array<string>;
  lines: number;
  placed: number;
  rules: string;
  top: number;
  status: string;
}

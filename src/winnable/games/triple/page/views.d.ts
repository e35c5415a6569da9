// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.

export interface SeenTile {
  tile: number;
  kind: number | null;
  x: number;
  y: number;
  layer: number;
  open: boolean;
}

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
  layer: number;
}

export interface SeenTool {
  name: string;
  action: number;
  uses: number;
}

export interface Observation {
  tiles: Array<SeenTile>;
  tray: Array<number>;
  slots: number;
  bounds: Bounds;
  status: string;
  aside: Array<SeenTile>;
  tools: Array<SeenTool>;
}

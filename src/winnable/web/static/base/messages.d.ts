// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.

export interface New {
  type: "new";
  level: string;
  game?: string;
  difficulty?: string;
}

export interface Load {
  type: "load";
  content: string;
}

export interface Open {
  type: "open";
  session: string;
}

export interface Next {
  type: "next";
}

export interface Cheat {
  type: "cheat";
}

export interface Repair {
  type: "repair";
  method: string;
  seconds?: number;
  settings?: Record<string, number | string>;
  seed?: number;
}

export interface Act {
  type: "act";
  action: number;
}

export interface GoTo {
  type: "goto";
  ply: number;
  action?: number | null;
  forget?: boolean;
}

export interface Alternate {
  type: "alternate";
  step?: -1 | 1;
}

export interface ListBranches {
  type: "branches";
}

export interface Hint {
  type: "hint";
  by?: string;
  settings?: Record<string, number | string>;
  rung?: "action" | "area" | "line" | "verdict";
}

export interface Help {
  type: "help";
}

export interface Demonstrate {
  type: "demo";
}

export interface Explain {
  type: "explain";
}

export interface Judge {
  type: "judge";
  game: string;
  level: string;
  ticket?: number;
  seconds?: number;
}

export interface Mend {
  type: "mend";
  game: string;
  level: string;
  ticket?: number;
  seconds?: number;
}

export interface Step {
  type: "step";
  by: string;
  settings?: Record<string, number | string>;
}

export interface Solve {
  type: "solve";
  solver: string;
  seconds?: number;
  settings?: Record<string, number | string>;
}

export interface Cancel {
  type: "cancel";
}

export interface SetMethod {
  name: string;
  settings?: Record<string, number | string>;
}

export interface Compare {
  type: "compare";
  game: string;
  levels: Array<string>;
  by: Array<SetMethod>;
  games?: number;
  seconds?: number;
  seed?: number;
}

export interface CompareStop {
  type: "compare_stop";
}

export interface Report {
  type: "report";
}

export interface Save {
  type: "save";
  what?: "level" | "session";
}

export interface Write {
  type: "write";
  format: string;
  ply?: number | null;
}

export interface AskLink {
  type: "link";
}

export interface AskCode {
  type: "qr";
  text: string;
}

export interface Forget {
  type: "forget";
  session: string;
}

export interface ListPlayed {
  type: "played";
}

export interface ListDays {
  type: "days";
}

export interface AskDeck {
  type: "deck";
}

export interface Practise {
  type: "practise";
}

export interface Runs {
  type: "runs";
}

export interface Tune {
  type: "tune";
  game: string;
  tunable: string;
  optimizer: string;
  evaluations?: number | null;
  settings?: Record<string, number | string>;
  held?: Record<string, number>;
  seed?: number;
  workers?: number;
}

export interface TuneResume {
  type: "tune_resume";
  run: string;
  workers?: number;
}

export interface TuneStop {
  type: "tune_stop";
  run: string;
}

export interface RunOpen {
  type: "run_open";
  run: string;
}

export interface RunExport {
  type: "run_export";
  runs: Array<string>;
  format: "jsonl" | "svg" | "weights";
}

export interface RunDelete {
  type: "run_delete";
  run: string;
}

export interface TunableOpen {
  type: "tunable_open";
  game: string;
  tunable: string;
}

export interface SetPlay {
  type: "set_play";
  set: string;
  number: number;
}

export interface SetKeep {
  type: "set_keep";
  set: string;
  level?: string;
  game?: string;
  number?: number | null;
}

export interface Sets {
  type: "sets";
}

export interface SetOpen {
  type: "set_open";
  set: string;
}

export interface SetLeave {
  type: "set_leave";
}

export interface SetNew {
  type: "set_new";
  title?: string;
}

export interface SetAdd {
  type: "set_add";
  set: string;
  name: string;
  content: string;
}

export interface SetMake {
  type: "set_make";
  set: string;
  game: string;
  params?: Record<string, number | string>;
  count?: number;
  seed?: number;
  difficulty?: string;
  by?: string;
  certify?: boolean;
  tight?: boolean;
  distinct?: boolean;
}

export interface SetJudge {
  type: "set_judge";
  set: string;
  levels?: Array<number> | null;
  seconds?: number;
}

export interface SetRepair {
  type: "set_repair";
  set: string;
  levels: Array<number>;
  seconds?: number;
}

export interface SetVary {
  type: "set_vary";
  set: string;
  levels: Array<number>;
  how: "easier" | "harder" | "like";
  seconds?: number;
}

export interface SetOrder {
  type: "set_order";
  set: string;
  levels: Array<number>;
  known?: number | null;
}

export interface SetName {
  type: "set_name";
  set: string;
  title: string;
}

export interface SetDelete {
  type: "set_delete";
  set: string;
}

export interface SetStop {
  type: "set_stop";
  set: string;
}

export interface SetGoOn {
  type: "set_go_on";
  set: string;
}

export interface SetPictures {
  type: "set_pictures";
  set: string;
  levels: Array<number>;
}

export interface SetExport {
  type: "set_export";
  set: string;
  format: "csv" | "folder" | "jsonl" | "ldtk" | "sheet" | "tiled";
  levels?: Array<number> | null;
  language?: "en" | "zh-CN";
}

export type PageRequest = New | Load | Open | Next | Cheat | Repair | Act | GoTo | Alternate | ListBranches | Hint | Help | Demonstrate | Explain | Judge | Mend | Step | Solve | Cancel | Compare | CompareStop | Report | Save | Write | AskLink | AskCode | Forget | ListPlayed | ListDays | AskDeck | Practise | Runs | Tune | TuneResume | TuneStop | RunOpen | RunExport | RunDelete | TunableOpen | SetPlay | SetKeep | Sets | SetOpen | SetLeave | SetNew | SetAdd | SetMake | SetJudge | SetRepair | SetVary | SetOrder | SetName | SetDelete | SetStop | SetGoOn | SetPictures | SetExport;

export interface Param {
  name: string;
  default: number | string;
  minimum: number | null;
  maximum: number | null;
  step: number;
  choices: Array<string> | null;
  only: Record<string, Array<string>>;
  whole: boolean;
}

export interface MethodInfo {
  name: string;
  settings: Array<Param>;
}

export interface ArticleRun {
  optimizer: string;
  settings: Record<string, number | string>;
}

export interface TunableInfo {
  name: string;
  stage: string;
  live: string | null;
  gain: string | null;
  article: ArticleRun | null;
}

export interface ComparisonInfo {
  name: string;
  levels: Array<string>;
  by: Array<SetMethod>;
  games: number;
  seconds: number;
  seed: number;
}

export interface Rating {
  word: "easy" | "fiendish" | "hard" | "medium" | "tricky";
  figure: number;
  low: number | null;
  high: number | null;
  luck: number | null;
}

export interface LevelInfo {
  name: string;
  title: Record<string, string>;
  series: string;
  rating: Rating | null;
}

export interface GameInfo {
  name: string;
  title: Record<string, string>;
  about: Record<string, string>;
  params: Array<Param>;
  players: Array<MethodInfo>;
  solvers: Array<MethodInfo>;
  repairs: Array<MethodInfo>;
  formats: Array<string>;
  tunables: Array<TunableInfo>;
  comparisons: Array<ComparisonInfo>;
  levels: Array<LevelInfo>;
  points: boolean;
  explains: boolean;
  weighs: boolean;
  pages: Array<string>;
  article: string;
}

export interface SessionInfo {
  session: string;
  level_id: string;
  day: string | null;
  ply: number;
  standing: string;
  updated: number;
}

export interface OptimizerInfo {
  name: string;
  params: Array<Param>;
}

export interface Hello {
  type: "hello";
  version: string;
  games: Array<GameInfo>;
  sessions: Array<SessionInfo>;
  optimizers: Array<OptimizerInfo>;
  cores: number;
}

export interface ForkInfo {
  ply: number;
  at: number;
  number: number;
}

export interface Verdicts {
  winnable: number;
  lost: number | null;
}

export interface State {
  type: "state";
  session: string;
  game: string;
  level_id: string;
  title: Record<string, string>;
  day: string | null;
  code: string;
  cheats: boolean;
  follows: boolean;
  player: string;
  ply: number;
  length: number;
  last_action: number | null;
  standing: "lost" | "over" | "playing" | "won";
  helped: boolean;
  card: "answered" | "open" | null;
  completion: number | null;
  view: unknown;
  legal: Array<number> | null;
  frames: unknown | null;
  line: number;
  fork: ForkInfo | null;
  forks: Array<number> | null;
  history: Array<number> | null;
  rating: Rating | null;
  known: Verdicts;
}

export interface Rated {
  type: "rated";
  session: string;
  rating: Rating;
}

export interface Helped {
  type: "helped";
  session: string;
}

export interface BranchInfo {
  action: number;
  name: string;
  length: number;
  here: boolean;
  verdict: "lost" | "unknown" | "winnable";
  standing: "lost" | "over" | "playing" | "won";
}

export interface Branches {
  type: "branches";
  session: string;
  fork: number | null;
  branches: Array<BranchInfo>;
}

export interface GoalChance {
  share: number | null;
  low: number | null;
  high: number | null;
  games: number | null;
  values: Array<[number, number]>;
  by: string;
}

export interface Outlook {
  score: number | null;
  low: number | null;
  high: number | null;
  risk: number | null;
  values: Array<[number, number]>;
  by: string;
  within: number | null;
  risk_low: number | null;
  risk_high: number | null;
  goal: GoalChance | null;
}

export interface Lamp {
  type: "lamp";
  session: string;
  ply: number;
  verdict: "lost" | "unknown" | "winnable";
  searching: boolean;
  remaining: number | null;
  optimal: boolean;
  par: number | null;
  seconds: number;
  known: Verdicts;
  outlook: Outlook | null;
  first: boolean;
  busy: boolean;
}

export interface Share {
  yes: number;
  open: number;
}

export interface Margin {
  legal: number;
  wins: Share | null;
  fewest: Share | null;
}

export interface Chance {
  player: string;
  won: number;
  games: number;
  low: number;
  high: number;
}

export interface MarginEvent {
  type: "margin";
  session: string;
  ply: number;
  margin: Margin;
  chance: Chance | null;
  done: boolean;
}

export interface Compiling {
  type: "compiling";
  game: string;
  part: string | null;
  done: number;
  total: number;
  seconds: number;
}

export interface Area {
  name: string;
  values: Record<string, number>;
  left: number | null;
  top: number | null;
  right: number | null;
  bottom: number | null;
}

export interface HintEvent {
  type: "hint";
  rung: "action" | "area" | "line" | "verdict";
  found: boolean;
  verdict: "lost" | "unknown" | "winnable";
  area: Area | null;
  action: number | null;
  name: string;
  line: Array<number>;
  names: Array<string>;
  session: string;
  ply: number;
}

export interface Demo {
  type: "demo";
  session: string;
  action: number;
  view: unknown;
  legal: Array<number> | null;
  frames: unknown | null;
}

export interface Explained {
  type: "explained";
  session: string;
  ply: number;
  why: unknown;
  verdict: "lost" | "unknown" | "winnable";
  remaining: number | null;
  optimal: boolean;
  generated: number | null;
  searching: boolean;
}

export interface Judged {
  type: "judged";
  ticket: number;
  status: "budget" | "solved" | "unsolvable";
  cost: number | null;
  lower_bound: number | null;
  optimal: boolean;
  actions: number;
  seconds: number;
  done: boolean;
}

export interface Mended {
  type: "mended";
  ticket: number;
  level: string;
}

export interface ProgressEvent {
  type: "progress";
  method: string;
  stage: string;
  values: Record<string, unknown>;
  expanded: number;
  generated: number;
  seconds: number;
}

export interface Limit {
  kind: "cancelled" | "claim" | "depth" | "generations" | "memory" | "method" | "nodes" | "stalled" | "supply" | "time" | "width";
  value: number | null;
}

export interface Best {
  actions: Array<number>;
  measure: string;
  value: number;
  target: number | null;
  moves: Array<string>;
}

export interface Reason {
  why: string;
  marked: Array<number>;
  values: Record<string, number>;
}

export interface Answer {
  status: "budget" | "solved" | "unsolvable";
  actions: Array<number>;
  cost: number | null;
  lower_bound: number | null;
  optimal: boolean;
  expanded: number;
  generated: number;
  seconds: number;
  limit: Limit | null;
  best: Best | null;
  outlook: Outlook | null;
  moves: Array<string>;
  reason: Reason | null;
  first: boolean;
}

export interface Result {
  type: "result";
  session: string;
  ply: number;
  solver: string;
  settings: Record<string, unknown>;
  answer: Answer;
  cheats: number | null;
}

export interface MethodScore {
  name: string;
  level: string;
  settings: Record<string, unknown>;
  kind: string;
  games: number;
  won: number;
  lost: number;
  undecided: number;
  cut: number;
  at_least: boolean;
  win_rate: number;
  ci_low: number;
  ci_high: number;
  mean_length: number | null;
  mean_score: number | null;
  score_low: number | null;
  score_high: number | null;
  mean_completion: number | null;
  mean_best: number | null;
  measure: string | null;
  mean_seconds: number;
  max_seconds: number;
  seed: number;
  article: Record<string, number>;
}

export interface Standings {
  type: "standings";
  game: string;
  rows: Array<MethodScore>;
  played: number;
  games: number;
  level: string;
  name: string;
  aims: boolean;
  hurry: "cut_short" | "least" | "searches" | null;
  stage: "all" | "cancelled" | "playing" | "refused" | "time" | "waiting";
}

export interface Timeline {
  type: "timeline";
  session: string;
  line: number;
  length: number;
  known: Verdicts;
  first: number | null;
  last: number | null;
  name: string;
  reason: Reason | null;
  done: boolean;
  cancelled: boolean;
}

export interface CostInfo {
  ply: number;
  cost: number;
  value: number;
  name: string;
  best: string;
}

export interface Costs {
  type: "costs";
  session: string;
  line: number;
  costs: Array<CostInfo>;
  worst: Array<number>;
  by: string;
  rewards: boolean;
  done: boolean;
  chances: boolean;
  limit: "cancelled" | "time" | null;
}

export interface Room {
  wins: number;
  legal: number;
}

export interface Narrowing {
  ply: number;
  before: Room;
  after: Room;
  better: number | null;
}

export interface Review {
  type: "review";
  session: string;
  line: number;
  names: Array<string>;
  turning: Array<number>;
  course: Array<number | null>;
  measure: "chance" | "completion" | "expected" | "kept" | "remaining";
  narrowings: Array<Narrowing>;
}

export interface Several {
  type: "several";
  levels: number;
}

export interface FileEvent {
  type: "file";
  name: string;
  content: string;
}

export interface Written {
  type: "written";
  session: string;
  format: string;
  content: string;
}

export interface LinkEvent {
  type: "link";
  session: string;
  link: string | null;
}

export interface CodeEvent {
  type: "qr";
  text: string;
  rows: Array<string> | null;
}

export interface Sessions {
  type: "sessions";
  sessions: Array<SessionInfo>;
}

export interface BestEnd {
  level_id: string;
  actions: number;
  par: number | null;
  score: number | null;
  seconds: number | null;
}

export interface Played {
  game: string;
  ended: number;
  won: number | null;
  first: number | null;
  helped: number;
  streak: number;
  longest: number;
  days: number;
  course: Array<number>;
  scored: boolean;
  best: Array<BestEnd>;
}

export interface PlayedEvent {
  type: "played";
  games: Array<Played>;
}

export interface DayPlayed {
  day: string;
  outcome: "lost" | "over" | "won";
  helped: boolean;
  actions: number;
  score: number | null;
  session: string;
}

export interface Days {
  game: string;
  streak: number;
  longest: number;
  on_time: number;
  days: Array<DayPlayed>;
}

export interface DaysEvent {
  type: "days";
  today: string;
  first: string;
  games: Array<Days>;
}

export interface DeckEvent {
  type: "deck";
  due: number;
}

export interface Answered {
  type: "answered";
  session: string;
  right: boolean | null;
  action: number | null;
  better: string;
  played: string;
  due: number;
}

export interface Generation {
  generation: number;
  evaluations: number;
  best: number;
  low: number;
  median: number;
  high: number;
  recommendation: Array<number>;
  spread: Array<number>;
  seconds: number;
  cost: number;
  steps: number;
}

export interface Comparison {
  decision: "accept" | "reject" | "undecided";
  difference: number;
  ci_low: number;
  ci_high: number;
  pairs: number;
}

export interface Run {
  id: string;
  game: string;
  tunable: string;
  optimizer: string;
  evaluations: number;
  seed: number;
  version: string;
  started: number;
  updated: number;
  status: "failed" | "finished" | "interrupted" | "running" | "stopped";
  genes: Array<string>;
  incumbent: Array<number>;
  latest: Generation | null;
  comparison: Comparison | null;
  error: string;
  steady: boolean;
  settings: Record<string, number | string>;
  held: Record<string, number>;
}

export interface RunsEvent {
  type: "runs";
  runs: Array<Run>;
}

export interface RunEvent {
  type: "run";
  run: Run;
  course: Array<Generation>;
}

export interface TuningEvent {
  type: "tuning";
  run: string;
  stage: "comparing" | "starting" | "tuning";
  evaluations: number;
  course: Array<Generation>;
}

export interface TunableEvent {
  type: "tunable";
  game: string;
  tunable: string;
  weights: Record<string, number>;
}

export interface SetInfo {
  id: string;
  title: string;
  levels: number;
  updated: number;
  works: boolean;
  rests: boolean;
}

export interface SetsEvent {
  type: "sets";
  sets: Array<SetInfo>;
}

export interface SetEvent {
  type: "set";
  set: SetInfo;
  order: Array<number>;
}

export interface Checked {
  source: string;
  ok: boolean;
  problem: string | null;
  fault: "certificate" | "difficulty" | "double" | "fewest" | "invalid" | "unsolvable" | null;
  level_id: string | null;
  game: string | null;
  certificate: "fails" | "holds" | "unchecked" | null;
  verdict: "budget" | "solved" | "unsolvable" | null;
  cost: number | null;
  lower_bound: number | null;
  optimal: boolean | null;
  expanded: number | null;
  generated: number | null;
  seconds: number | null;
  same_as: string | null;
  twin_of: string | null;
  facts: Record<string, number | string>;
  rating: number | null;
  word: "easy" | "fiendish" | "hard" | "medium" | "tricky" | null;
  rating_low: number | null;
  rating_high: number | null;
  luck: number | null;
  figures: Record<string, number>;
}

export interface Problem {
  message: string;
  code: string;
  values: Record<string, unknown>;
}

export interface SetRow {
  number: number;
  name: string;
  title: Record<string, string>;
  code: string | null;
  look: Checked;
  problem: Problem | null;
  judged: boolean;
  same_as: number | null;
  twin_of: number | null;
}

export interface SetRows {
  type: "set_rows";
  set: string;
  rows: Array<SetRow>;
}

export interface SetWorking {
  type: "set_work";
  set: string;
  work: "judge" | "make" | "repair" | "vary";
  stage: "all" | "refused" | "stopped" | "working";
  done: number;
  total: number;
  seconds: number;
  failed: number;
}

export interface SetPicturesEvent {
  type: "set_pictures";
  set: string;
  pictures: Record<number, string>;
}

export interface SetFile {
  type: "set_file";
  name: string;
  media: string;
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

export type ServerEvent = Hello | State | Rated | Helped | Branches | Lamp | MarginEvent | Compiling | HintEvent | Demo | Explained | Judged | Mended | ProgressEvent | Result | Standings | Timeline | Costs | Review | Several | FileEvent | Written | LinkEvent | CodeEvent | Sessions | PlayedEvent | DaysEvent | DeckEvent | Answered | RunsEvent | RunEvent | TuningEvent | TunableEvent | SetsEvent | SetEvent | SetRows | SetWorking | SetPicturesEvent | SetFile | ErrorEvent;

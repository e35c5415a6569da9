// What the page knows of the line on the board: its actions, a verdict for each ply, where other branches lead
// off. Verdicts come with the lamp, with reports and with a new line; they are joined by one fact: before a
// winnable point all is winnable, after a lost one all is lost. What actions cost comes with reports.

export class History {
  constructor() {
    this.reset(null);
  }

  reset(session) {
    this.session = session;
    this.code = null;
    this.actions = [];
    /** So many of the actions are those that the line had before the last state. */
    this.shared = 0;
    this.verdicts = ["unknown"];
    /** The plies after which other branches lead off. */
    this.forks = [];
    /** The range of actions that holds the losing one, when a report found it. */
    this.blame = null;
    /** What actions cost in a game without a goal, by the ply before them: {cost, value, name, best}. */
    this.costs = new Map();
    /** The plies before those that cost most, the worst first. */
    this.worst = [];
    /** Who plays on in what they are worth, and whether that is in what the game counts. */
    this.weighed = { by: "", rewards: false };
  }

  onState({ session, code, length, last_action: action, history, known, forks }) {
    // After a cheat what was proved of the level before counts no more.
    if (session !== this.session || code !== this.code) this.reset(session);
    this.code = code;
    if (history) this.follow(history, known);
    else {
      this.shared = this.actions.length;
      if (length > this.actions.length) this.actions.push(action);
    }
    if (forks) this.forks = forks;
    while (this.verdicts.length <= length) this.verdicts.push(this.verdicts.at(-1) === "lost" ? "lost" : "unknown");
  }

  /** Another line; of what it begins with like the one before all stays known. */
  follow(actions, known) {
    this.shared = this.common(actions);
    this.actions = actions;
    this.verdicts.length = Math.min(this.verdicts.length, this.shared + 1);
    if (this.blame && this.blame.last >= this.shared) this.blame = null;
    for (const ply of this.costs.keys()) if (ply >= this.shared) this.costs.delete(ply);
    this.worst = this.worst.filter((ply) => ply < this.shared);
    while (this.verdicts.length <= actions.length) this.verdicts.push("unknown");
    known?.forEach((verdict, ply) => this.learn(ply, verdict));
  }

  /** How many actions at its beginning the line has in common with these. */
  common(actions) {
    const other = actions.findIndex((action, ply) => action !== this.actions[ply]);
    return other < 0 ? actions.length : other;
  }

  learn(ply, verdict) {
    if (verdict === "unknown" || ply >= this.verdicts.length || this.verdicts[ply] === verdict) return;
    this.verdicts[ply] = verdict;
    if (verdict === "winnable") this.verdicts.fill("winnable", 0, ply);
    else this.verdicts.fill("lost", ply);
  }

  onTimeline({ verdicts, first, last, name }) {
    verdicts.forEach((verdict, ply) => this.learn(ply, verdict));
    this.blame = first === null || last === null ? null : { first, last, name };
  }

  onCosts({ costs, worst, by, rewards }) {
    for (const { ply, cost, value, name, best } of costs) this.costs.set(ply, { cost, value, name, best });
    Object.assign(this, { worst, weighed: { by, rewards } });
  }
}

// What the page knows of the game's history: a verdict for each ply. Pieces come with the lamp and with
// reports; they are joined by one fact: before a winnable point all is winnable, after a lost one all is lost.

export class History {
  constructor() {
    this.reset(null);
  }

  reset(session) {
    this.session = session;
    this.code = null;
    this.length = 0;
    this.actions = [];
    this.verdicts = ["unknown"];
    /** The range of actions that holds the losing one, when a report found it. */
    this.blame = null;
  }

  /** A new state: a new game, or a branch that makes what was known of the old one void. */
  onState({ session, code, ply, length, last_action: action, history }) {
    // After a cheat what was proved of the level before counts no more.
    if (session !== this.session || code !== this.code) this.reset(session);
    this.code = code;
    if (history) this.actions = history;
    if (ply > 0 && this.actions[ply - 1] !== action) {
      const branched = this.actions[ply - 1] !== undefined;
      this.actions[ply - 1] = action;
      if (branched) this.forgetFrom(ply);
    }
    if (length < this.length) this.forgetFrom(length + 1);
    this.length = length;
    while (this.verdicts.length <= length) this.verdicts.push(this.verdicts.at(-1) === "lost" ? "lost" : "unknown");
  }

  /** The losing action stays known unless the branch undid it. */
  forgetFrom(ply) {
    this.actions.length = Math.min(this.actions.length, ply);
    this.verdicts.length = Math.min(this.verdicts.length, ply);
    if (this.verdicts.length === 0) this.verdicts.push("unknown");
    if (this.blame && this.blame.last >= ply - 1) this.blame = null;
  }

  learn(ply, verdict) {
    if (verdict === "unknown" || ply >= this.verdicts.length) return;
    this.verdicts[ply] = verdict;
    if (verdict === "winnable") this.verdicts.fill("winnable", 0, ply);
    else this.verdicts.fill("lost", ply);
  }

  onTimeline({ verdicts, first, last, name }) {
    verdicts.forEach((verdict, ply) => this.learn(ply, verdict));
    this.blame = first === null || last === null ? null : { first, last, name };
  }
}

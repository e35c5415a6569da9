// What the page knows of the line on the board: its actions, up to where it is winnable and from where it is
// lost, where other branches lead off. Verdicts are the server's; what actions cost comes with reports.

/** @import { CostInfo, Costs, Review, State, Timeline, Verdicts } from "../base/messages.js" */

export class History {
  /** @type {string | null} */
  session = null;
  /** @type {string | null} */
  code = null;
  /** @type {number[]} */
  actions = [];
  /** So many of the actions are those that the line had before the last state. */
  shared = 0;
  /** The plies up to `winnable` are, those from `lost` on are lost; null: none is known to be. @type {Verdicts} */
  known = { winnable: -1, lost: null };
  /** The plies after which other branches lead off. @type {number[]} */
  forks = [];
  /** The range of actions that holds the losing one, when a report found it.
   *  @type {{ first: number, last: number, name: string } | null} */
  blame = null;
  /** What actions cost in a game without a goal, by the ply before them.
   *  @type {Map<number, Omit<CostInfo, "ply">>} */
  costs = new Map();
  /** The plies before those that cost most, the worst first. @type {number[]} */
  worst = [];
  /** The whole line, once it has been reviewed. @type {Review | null} */
  review = null;
  /** Who plays on in what they are worth, and whether that is in what the game counts, or is the chance of the goal. */
  weighed = { by: "", rewards: false, chances: false };

  /** @param {State} state */
  onState({ session, code, length, last_action: action, history, known, forks }) {
    // After a cheat what was proved of the level before counts no more.
    if (session !== this.session || code !== this.code) Object.assign(this, new History(), { session });
    this.code = code;
    this.known = known;
    if (history) this.follow(history);
    else {
      this.shared = this.actions.length;
      if (action !== null && length > this.actions.length) this.actions.push(action);
    }
    if (forks) this.forks = forks;
  }

  /** Another line; of what it begins with like the one before all stays known. @param {number[]} actions */
  follow(actions) {
    this.shared = this.common(actions);
    this.actions = actions;
    if (this.shared < this.reviewed) this.review = null;
    if (this.blame && this.blame.last >= this.shared) this.blame = null;
    for (const ply of this.costs.keys()) if (ply >= this.shared) this.costs.delete(ply);
    this.worst = this.worst.filter((ply) => ply < this.shared);
  }

  /** How many actions the review is about. */
  get reviewed() {
    return this.review?.names.length ?? 0;
  }

  /** How many actions at its beginning the line has in common with these. @param {number[]} actions */
  common(actions) {
    const other = actions.findIndex((action, ply) => action !== this.actions[ply]);
    return other < 0 ? actions.length : other;
  }

  /** @param {number} ply */
  verdict(ply) {
    if (ply <= this.known.winnable) return "winnable";
    return this.known.lost !== null && ply >= this.known.lost ? "lost" : "unknown";
  }

  /** @param {Timeline} timeline */
  onTimeline({ known, first, last, name }) {
    this.known = known;
    this.blame = first === null || last === null ? null : { first, last, name };
  }

  /** @param {Costs} costs */
  onCosts({ costs, worst, by, rewards, chances = false }) {
    for (const { ply, cost, value, name, best } of costs) this.costs.set(ply, { cost, value, name, best });
    Object.assign(this, { worst, weighed: { by, rewards, chances } });
  }
}

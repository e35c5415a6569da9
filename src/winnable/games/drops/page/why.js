// Why a board of drops takes so many clicks: the droplets that each row and column must lose, drawn over the
// edge, and the sum below the board. The numbers are the server's (see ../measure/bounds.py); here are only the words.

import { el, svg } from "/static/base/dom.js";
/** @import { Explanation, Group, Line } from "./views.js" */
/** @import { Explained } from "/static/base/messages.js" */
/** @import { Count, Translate } from "/static/boards/board.js" */

/** Room at the right and below, in cells. */
export const WHY_ROOM = 1.15;
const FIRST = 0.36;
const STEP = 0.27;
/** Groups beyond that have no letter. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MOST_TERMS = 8;

/** @param {number} group */
export function groupName(group) {
  return LETTERS[group] ?? String(group + 1);
}

/** The droplets over the edge: at the right of each row and below each column.
 *  @param {Explanation} explanation @param {number} height @param {number} width @param {Translate} t */
export function lossMarks({ rows, columns, groups }, height, width, t) {
  const letters = groups.length > 1;
  /** @param {"row" | "column"} kind @param {Line} line */
  const mark = (kind, { index, group, lost }) => {
    const label = t(`drops.why.${kind}`, { n: index + 1, lost });
    const across = kind === "row";
    const drops = Array.from({ length: lost }, (_, i) => {
      const way = FIRST + i * STEP;
      return svg("path", { d: "M-.12 0Q-.02 -.085 .04 -.085A.085 .085 0 0 1 .04 .085Q-.02 .085 -.12 0Z", transform: `translate(${across ? width + way : index + 0.5} ${across ? index + 0.5 : height + way})${across ? "" : " rotate(90)"}` });
    });
    const letter = letters ? [svg("text", { class: "loss-group", x: across ? width + 1.06 : index + 0.82, y: across ? index + 0.2 : height + 0.5 }, groupName(group))] : [];
    return svg("g", { class: "loss", role: "img", "aria-label": label, "data-testid": `loss-${kind}`, "data-lost": lost }, svg("title", {}, label), ...drops, ...letter);
  };
  return svg("g", { class: "losses", "data-testid": "losses" }, ...rows.map((line) => mark("row", line)), ...columns.map((line) => mark("column", line)));
}

/** The sum in words: [nodes]. Where a search has proved more than the sum says, that comes first, and the sum is put away.
 *  left: drops left where they are counted.
 *  @param {Explained} explained @param {number | null} left @param {Translate} t @param {Count} number */
export function whyWords(explained, left, t, number) {
  const { why, verdict, remaining, optimal } = explained;
  const { groups, bound, open } = /** @type {Explanation} */ (why);
  const lost = verdict === "lost" && left !== null;
  const proved = lost ? Math.max(bound, left + 1) : optimal && remaining !== null ? remaining : bound;
  const head = lost ? t("drops.why.toofew", { left: number(left) }) : t(optimal ? "drops.why.fewest" : "drops.why.bound", { n: number(proved) });
  const several = groups.length > 1;
  const terms = groups.map(({ bound: least }) => number(least)).join(" + ");
  const sum = [
    el("p", {}, t("drops.why.once")),
    el("p", {}, t("drops.why.edge")),
    el("ul", { class: "why-groups" }, ...groups.map((group, i) => el("li", { "data-testid": "why-group" }, several ? el("b", {}, groupName(i)) : null, el("span", {}, groupWords(group, t, number))))),
    several && groups.length <= MOST_TERMS ? el("p", {}, t("drops.why.together", { terms, n: number(bound) })) : null,
    open ? el("p", {}, t("drops.why.open")) : null,
  ].filter((node) => node !== null);
  return [
    el("h2", { "data-testid": "why-bound", "data-bound": proved }, head),
    el("p", { class: "why-end", "data-testid": "why-end" }, conclusion(explained, bound, left, t, number)),
    ...(proved > bound ? [el("details", { "data-testid": "why-sum" }, el("summary", {}, t("drops.why.without", { n: number(bound) })), ...sum)] : sum),
  ];
}

/** @param {Group} group @param {Translate} t @param {Count} number */
function groupWords({ cells, water, lost, lacks, bound }, t, number) {
  const sum = cells - water + lost;
  const words = { cells: number(cells), water: number(water), lost: number(lost), sum: number(sum), lacks: number(lacks), n: number(bound) };
  return t(lacks <= sum ? "drops.why.group" : sum > 0 ? "drops.why.group.fullest" : "drops.why.group.fullest.all", words);
}

/** @param {Explained} explained @param {number} bound @param {number | null} left @param {Translate} t @param {Count} number */
function conclusion({ verdict, remaining, optimal, generated, searching }, bound, left, t, number) {
  const nodes = generated === null ? null : number(generated);
  if (verdict === "lost") {
    if (left !== null && bound > left) return t("drops.why.short", { left: number(left) });
    return nodes === null ? t("drops.why.lost") : t("drops.why.lost.search", { nodes });
  }
  if (remaining === null) return t(searching ? "drops.why.none" : "drops.why.none.late");
  const n = number(remaining);
  if (remaining === bound) return t("drops.why.best", { n });
  if (!optimal) return t(searching ? "drops.why.gap" : "drops.why.gap.late", { n });
  return nodes === null ? t("drops.why.proved", { n }) : t("drops.why.search", { n, nodes });
}

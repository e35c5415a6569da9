// How hard a level may be asked for.

/** @import { GameInfo } from "../base/messages.js" */

/** Of each game that rates its levels: `fact.word.WORD` in the catalogues. */
export const WORDS = ["easy", "medium", "tricky", "hard", "fiendish"];

/** Whether levels are made to order, so that a player wins a share of them: where they can be repaired.
 *  @param {GameInfo} info */
export const isMadeToOrder = (info) => info.repairs.length > 0;

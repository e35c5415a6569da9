// The variant `tools` of triple: undo, move out and shuffle as buttons beside the board.

/** @import { Observation } from "./views.js" */
/** @import { Icon } from "/static/base/dom.js" */
/** @import { Translate } from "/static/boards/board.js" */

/** @type {Record<string, Icon>} */
const ICONS = { undo: "tool-undo", move_out: "tool-out", shuffle: "tool-shuffle" };

/** Buttons for `extras` of the board's interface; none without the variant.
 *  @param {Observation} view @param {number[] | null} legal @param {Translate} t */
export function toolButtons(view, legal, t) {
  return view.tools.map(({ name, action, uses }) => ({
    id: name,
    label: t(`tool.${name}`),
    icon: ICONS[name],
    uses,
    action: legal?.includes(action) ? action : null,
  }));
}

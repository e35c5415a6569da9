// What was refused, in the reader's language: `error.CODE` of the catalogues, filled with the event's values.

import { firstWord } from "./fields.js";
import { has, localized, t } from "./i18n.js";
/** @import { ErrorEvent, GameInfo } from "./messages.js" */

/** The sentence alone. info: of the game that it is about, if any: ids are told by what people know them as.
 *  @param {ErrorEvent} event @param {GameInfo} [info] */
export function refusalWords({ code, values, field, message }, info) {
  if (!code || !has(`error.${code}`)) return t("error.server", { message });
  /** @param {unknown} id */
  const word = (id) => {
    if (typeof id !== "string") return id;
    if (id === info?.name) return localized(info.title);
    return firstWord(`param.${info?.name}.${field}.${id}`, `param.${field}.${id}`, `param.${info?.name}.${id}`, `param.${id}`, `method.${id}`, id);
  };
  /** @param {string} name @param {unknown} value */
  const told = (name, value) => Array.isArray(value) ? value.map(word).join(t("list.comma")) : OWNERS.includes(name) ? word(value) : value;
  const text = t(`error.${code}`, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, told(name, value)])));
  return values.near ? text + t("error.near", { near: word(values.near) }) : text;
}

/** Values that name a game or a method. */
const OWNERS = ["game", "owner", "method"];

/** Lists that are the rows of a board. */
const ROWS = ["board", "wall", "rows"];

/** What a field is called: `board[0]` is row 1, as the page counts. @param {string} id @param {GameInfo} [info] */
function fieldWords(id, info) {
  /** @param {string} name */
  const called = (name) => firstWord(`param.${info?.name}.${name}`, `param.${name}`, `setting.${name}`, `field.${name}`);
  const [, list, at, part] = /^(?:\$\.)?(\w+)\[(\d+)\](?:\.(\w+))?$/.exec(id) ?? [];
  if (list === undefined) return called(id);
  const n = Number(at) + 1;
  const entry = ROWS.includes(list) ? t("field.row", { n }) : t("field.entry", { name: called(list), n });
  return part ? [entry, called(part)].join(t("list.comma")) : entry;
}

/** With the field in front, where there is one: for a place from which the field is not seen.
 *  @param {ErrorEvent} event @param {GameInfo} [info] */
export function refusalText(event, info) {
  const text = refusalWords(event, info);
  const { code, field: id } = event;
  const field = code && id && fieldWords(id, info);
  return field ? t("error.field", { field, text }) : text;
}

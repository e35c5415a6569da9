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

/** With the field in front, where there is one: for a place from which the field is not seen.
 *  @param {ErrorEvent} event @param {GameInfo} [info] */
export function refusalText(event, info) {
  const text = refusalWords(event, info);
  const { code, field: id } = event;
  const field = code && id && firstWord(`param.${info?.name}.${id}`, `param.${id}`, `setting.${id}`, `field.${id}`);
  return field ? t("error.field", { field, text }) : text;
}

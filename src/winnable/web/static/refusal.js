// What was refused, in the reader's language: `error.CODE` of the catalogues, filled with the event's values.

import { firstWord } from "./fields.js";
import { game } from "./game.js";
import { has, localized, t } from "./i18n.js";
import { paramName } from "./names.js";

/** Values that name a game or a method are told by what people know these as. */
const NAMES = ["game", "owner", "method"];

const named = (id) => {
  const title = localized(game.hello?.games.find(({ name }) => name === id)?.title);
  return title || (has(`method.${id}`) ? t(`method.${id}`) : id);
};

/** The sentence alone. A list of what there is is told in the words that the form has for it. */
export function refusalWords({ code, values, field, message }, of) {
  if (!code || !has(`error.${code}`)) return t("error.server", { message });
  const choice = (one) => firstWord(`param.${of}.${field}.${one}`, `param.${field}.${one}`, `param.${of}.${one}`, `param.${one}`, `method.${one}`, String(one));
  const told = (name, value) => Array.isArray(value) ? value.map(choice).join(t("list.comma")) : NAMES.includes(name) ? named(value) : value;
  return t(`error.${code}`, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, told(name, value)])));
}

/** With the field in front, where there is one: for a place from which the field is not seen. */
export function refusalText(event, of) {
  const text = refusalWords(event, of);
  return event.code && event.field ? t("error.field", { field: paramName(event.field, of), text }) : text;
}

// What was refused, in the reader's language: `error.CODE` of the catalogues, filled with the event's values.

import { has, t } from "./i18n.js";
import { paramName } from "./names.js";

/** The sentence alone. A list of choices is told in the words that the form has for them. */
export function refusalWords({ code, values, field, message }, game) {
  if (!code || !has(`error.${code}`)) return t("error.server", { message });
  const shown = ([name, value]) => [name, Array.isArray(value) ? value.map((one) => paramName(`${field}.${one}`, game)).join(t("list.comma")) : value];
  return t(`error.${code}`, Object.fromEntries(Object.entries(values).map(shown)));
}

/** With the field in front, where there is one: for a place from which the field is not seen. */
export function refusalText(event, game) {
  const text = refusalWords(event, game);
  return event.code && event.field ? t("error.field", { field: paramName(event.field, game), text }) : text;
}

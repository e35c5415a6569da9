// What levels, parameters and tuning runs are called: words for what the server names by ids.

import { firstWord } from "../base/fields.js";
import { gameInfo } from "./game.js";
import { currentLanguage, has, localized, number, t } from "../base/i18n.js";
/** @import { Run } from "../base/messages.js" */

const ID = /^(\w+)([:/@])([^]*?)(\+?)$/;
const IDENTITY = /^([^#]*)#(\d+)$/;

/** @param {string} name */
const infoOf = (name) => gameInfo(name)?.name === name ? gameInfo(name) : null;

/** A game may have its own word for a parameter: `param.GAME.NAME` before `param.NAME`.
 *  @param {string} name @param {string} game */
export function paramName(name, game) {
  return firstWord(`param.${game}.${name}`, `param.${name}`, `field.${name}`);
}

/** @param {string} day As the server writes it. @param {Intl.DateTimeFormatOptions} format */
export const dateWords = (day, format = { dateStyle: "long" }) =>
  new Intl.DateTimeFormat(currentLanguage(), { ...format, timeZone: "UTC" }).format(new Date(day));

/** @param {string} name @param {string} params */
function paramWords(name, params) {
  const pairs = params.split(",").filter(Boolean).map((pair) => pair.split("="));
  return pairs.map(([key, value]) => {
    const choice = [`param.${name}.${key}.${value}`, `param.${key}.${value}`].find(has);
    return t("level.param", { name: paramName(key, name), value: choice ? t(choice) : value });
  });
}

/** @param {string} name @param {string} params @param {string} seed */
const identityWords = (name, params, seed) => [...paramWords(name, params), t("level.dice", { seed })].join(t("list.comma"));

/** `GAME`, `GAME:key=value,...`: new levels; all other texts name one. */
const KIND = /^(\w+)(?::(\w+=[^#]*)?)?$/;

/** Words for what games are compared on. @param {string} level */
export function groundWords(level) {
  const [, name, params = ""] = KIND.exec(level) ?? [];
  if (name === undefined) return levelWords({ level_id: level, day: null }).level || level;
  return params ? paramWords(name, params).join(t("list.comma")) : t("compare.levels.usual");
}

/** {game, level}: words for a level; both empty for a game that is not here.
 *  @param {{ level_id: string, day: string | null }} info */
export function levelWords({ level_id: id, day }) {
  const [, name, kind, rest, cheated] = ID.exec(id) ?? [];
  const info = name && infoOf(name);
  if (!info) return { game: "", level: "" };
  const [, params = "", seed = ""] = IDENTITY.exec(rest) ?? [];
  const shipped = info.levels.find((level) => level.name === name + kind + rest);
  const level = day ? t("level.daily", { date: dateWords(day) })
    : kind === "/" ? localized(shipped?.title) || rest : kind === ":" ? identityWords(name, params, seed) : t("level.own");
  return { game: localized(info.title), level: cheated ? t("level.cheated", { level }) : level };
}

/** @param {string} name */
export const optimizerName = (name) => firstWord(`optimizer.${name}`);

/** @param {string} name */
export const tunableName = (name) => firstWord(`tunable.${name}`);

/** @param {Run} run */
export function runName({ tunable, optimizer, settings, seed }) {
  const set = settings.iterations ? ` ${number(Number(settings.size))} × ${number(Number(settings.iterations))}` : "";
  return t("tune.run.name", { tunable: tunableName(tunable), optimizer: optimizerName(optimizer) + set, seed: String(seed) });
}

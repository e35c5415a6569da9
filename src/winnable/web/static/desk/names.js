// What levels, parameters and tuning runs are called: words for what the server names by ids.

import { firstWord } from "../base/fields.js";
import { gameInfo } from "./game.js";
import { currentLanguage, has, localized, number, t } from "../base/i18n.js";
/** @import { GameInfo, Run } from "../base/messages.js" */

const ID = /^(\w+)([:/@])([^]*?)(\+?)$/;
const IDENTITY = /^([^#]*)#(\d+)$/;
const DATE = /^(\d{4})(\d\d)(\d\d)$/;

/** @param {string} name */
const infoOf = (name) => gameInfo(name)?.name === name ? gameInfo(name) : null;

/** A game may have its own word for a parameter: `param.GAME.NAME` before `param.NAME`.
 *  @param {string} name @param {string} game */
export function paramName(name, game) {
  return firstWord(`param.${game}.${name}`, `param.${name}`, `field.${name}`);
}

/** @param {string} seed */
function day(seed) {
  const [, year, month, date] = DATE.exec(seed) ?? [];
  if (!year) return null;
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "long" }).format(new Date(Number(year), Number(month) - 1, Number(date)));
}

/** @param {GameInfo} info @param {string} params @param {string} seed */
function identityWords({ name, daily }, params, seed) {
  const [dailyParams] = daily.slice(name.length + 1).split("#");
  const date = params === dailyParams && day(seed);
  if (date) return t("level.daily", { date });
  const pairs = params.split(",").filter(Boolean).map((pair) => pair.split("="));
  const words = pairs.map(([key, value]) => {
    const choice = [`param.${name}.${key}.${value}`, `param.${key}.${value}`].find(has);
    return t("level.param", { name: paramName(key, name), value: choice ? t(choice) : value });
  });
  return [...words, t("level.dice", { seed })].join(t("list.comma"));
}

/** {game, level}: words for a level by its id; both empty for a game that is not here. @param {string} id */
export function levelWords(id) {
  const [, name, kind, rest, cheated] = ID.exec(id) ?? [];
  const info = name && infoOf(name);
  if (!info) return { game: "", level: "" };
  const [, params = "", seed = ""] = IDENTITY.exec(rest) ?? [];
  const shipped = info.levels.find((level) => level.name === name + kind + rest);
  const level = kind === "/" ? localized(shipped?.title) || rest : kind === ":" ? identityWords(info, params, seed) : t("level.own");
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

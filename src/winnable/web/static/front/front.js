// The front page: the games and the pages that they bring, each one click away; what this browser has under way;
// today's levels.

import { on } from "../base/bus.js";
import { $, el, icon, redraw, setText, show } from "../base/dom.js";
import { game, send } from "../desk/game.js";
import { pageAddress } from "../base/host.js";
import { ago, localized, number, ownKey, t, tn } from "../base/i18n.js";
import { ownSessions } from "../desk/keep.js";
import { startLevel } from "../desk/levels.js";
import { randomSeed } from "../desk/newgame.js";
import { levelWords } from "../desk/names.js";
import { todayRow } from "./days.js";
import { atFront } from "./place.js";
import { bestStars } from "../desk/stars.js";
/** @import { Attributes, Child } from "../base/dom.js" */
/** @import { GameInfo, LevelInfo, SessionInfo } from "../base/messages.js" */

const MOST_CONTINUED = 6;

/** The first level that was not won here; the first of all when there is none. @param {LevelInfo[]} levels */
function nextLevel(levels) {
  const open = levels.findIndex(({ name }) => bestStars(name) === undefined);
  return Math.max(0, open);
}

/** A card whose upper part is one link or button.
 *  @param {string} testid @param {string} picture @param {string} title @param {string} about
 *  @param {Attributes} play @param {string} next
 *  @param {...Child} below */
function card(testid, picture, title, about, play, next, ...below) {
  return el("li", { class: "front-card", "data-testid": testid },
    // What is inside a button is no heading.
    el("h2", { class: "sr-only" }, title),
    el(play.href ? "a" : "button", { class: "front-play", type: play.href ? null : "button", "data-testid": `${testid}-play`, ...play },
      el("img", { src: picture, alt: "" }), el("strong", {}, title), el("span", { class: "note" }, about), el("span", { class: "front-next" }, icon("play"), el("span", {}, next))),
    ...below);
}

/** @param {GameInfo} info */
function gameCard(info) {
  const { name, title, about, levels } = info;
  const at = nextLevel(levels);
  const place = t("front.level", { n: number(at + 1), level: localized(levels[at].title) });
  return card(`front-${name}`, `pictures/${name}.svg`, localized(title), localized(about), { onclick: () => startLevel(levels[at].name) },
    place, articleLine(info), todayRow(name));
}

/** What the game began with, one tap away; null where that was no article. @param {GameInfo} info */
function articleLine({ name, article, levels }) {
  if (!article) return null;
  const own = levels.find((level) => level.name === article);
  const series = levels.filter((level) => own?.series && level.series === own.series);
  const begin = () => {
    if (!own) startLevel(`${article}#${randomSeed()}`);
    else startLevel(series.length ? series[nextLevel(series)].name : article);
  };
  return el("button", { class: "front-article", type: "button", "data-testid": `front-${name}-article`, onclick: begin }, icon("pen"), el("span", {}, t(ownKey("front.article", name))));
}

/** The names of the pages that games bring. */
export const ownPages = () => (game.hello?.games ?? []).flatMap(({ pages }) => pages);

/** @param {string} name */
function pageCard(name) {
  return card(`front-${name}`, `${name}/card.svg`, t(`page.${name}`), t(`page.${name}.about`), { href: pageAddress(name) }, t(`page.${name}.go`));
}

/** @param {SessionInfo} info */
function continued(info) {
  const { session, level_id: id, ply, updated } = info;
  const words = levelWords(info);
  return el("li", { "data-key": session }, el("button", { class: "front-continue", type: "button", "data-testid": "continue", "data-session": session, onclick: () => send({ type: "open", session }) },
    el("img", { src: `pictures/${id.split(/[:/@]/)[0]}.svg`, alt: "" }),
    el("span", {}, el("strong", {}, words.game), el("span", { class: "front-what" }, words.level), el("small", {}, [t("sessions.ply", { n: number(ply) }), ago(updated)].join(" · ")))));
}

function draw() {
  if (!game.hello || !atFront()) return;
  if (document.body.dataset.view === "front") document.title = "winnable";
  const going = ownSessions().filter(({ standing, ply }) => standing === "playing" && ply > 0).slice(0, MOST_CONTINUED);
  show($("front-going"), going.length > 0);
  redraw($("front-sessions"), ...going.map(continued));
  const games = game.hello.games.filter(({ levels }) => levels.length);
  setText($("front-note"), tn("front.note", games.length));
  redraw($("front-games"), ...games.map(gameCard), ...ownPages().map(pageCard));
}

/** Where one may go without the front page. */
function drawLinks() {
  $("pages").replaceChildren(...ownPages().map((name) => el("a", { href: pageAddress(name), "data-testid": name }, t(`page.${name}`))));
  $("new-pages").replaceChildren(...ownPages().map((name) =>
    el("p", { class: "note" }, el("a", { class: "link", href: pageAddress(name), "data-testid": `new-${name}` }, t(`page.${name}.invite`)))));
}

export function mountFront() {
  on("hello language", drawLinks);
  on("hello sessions language view today", draw);
}

"""Moves as pictures one after the other, with a small player, for notebooks and any page: nothing is
fetched."""

from __future__ import annotations

import json
import re
import secrets
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from winnable import words
from winnable.contract.arguments import number
from winnable.contract.arguments import path as path_of
from winnable.contract.core import WinnableError
from winnable.contract.game import Game
from winnable.levels.files import write_file

MOST_MOVES = 2000
DELAY = 0.7
"""Seconds between two moves."""
_PARTS = re.compile(r"<g\b.*?</g>|<[^>]*>|[^<]+", re.DOTALL)
"""Of a picture: most of them are those of the picture before."""
_STYLE = """#{id} { margin: 0; display: inline-grid; gap: 0.5em; max-width: 100%; font: 0.9em sans-serif }
#{id} img { max-width: 100%; height: auto; justify-self: center }
#{id} div { display: flex; gap: 0.75em; align-items: center }
#{id} div[hidden] { display: none }
#{id} input { flex: 1 }"""
_PLAYER = """(({id, parts, frames, captions, delay, play, pause}) => {
  const root = document.getElementById(id);
  const [image, controls, button, slider, place] =
    ["img", "div", "button", "input", "figcaption"].map((name) => root.querySelector(name));
  let timer = 0;
  const show = (frame) => {
    const picture = frames[frame].map((part) => parts[part]).join("");
    image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    image.alt = place.textContent = captions[frame];
    slider.value = frame;
    slider.setAttribute("aria-valuetext", captions[frame]);
  };
  const at = () => Number(slider.value);
  const stop = () => { clearInterval(timer); timer = 0; button.textContent = play; };
  const step = () => { if (root.isConnected && at() < frames.length - 1) show(at() + 1); else stop(); };
  const start = () => {
    if (at() === frames.length - 1) show(0);
    timer = setInterval(step, delay);
    button.textContent = pause;
  };
  button.addEventListener("click", () => (timer ? stop() : start()));
  slider.addEventListener("input", () => { stop(); show(at()); });
  show(0);
  stop();
  controls.hidden = frames.length < 2;
  if (frames.length > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches) start();
})"""


class Animation:
    """A game as it goes on from a position, move by move. In a notebook it plays itself once, unless whoever
    looks at it prefers reduced motion; then it waits for its button. Where no scripts run, its first picture
    is there."""

    def __init__(
        self, game: Game, puzzle: Any, states: Sequence[Any], moves: Sequence[str], delay: float = DELAY
    ) -> None:
        """Made by `Board.animate`. states: the first, and one after each of the moves. delay: seconds between
        two moves. Raises WinnableError."""
        if len(moves) > MOST_MOVES:
            most = f"{MOST_MOVES:,}"
            raise WinnableError("animation.long", field="line", moves=f"{len(moves):,}", most=most)
        self._game, self._puzzle, self._states, self._names = game, puzzle, states, moves
        self._delay = number("delay", delay, 0.02, 60)

    def __len__(self) -> int:
        """How many pictures it has, one more than moves."""
        return len(self._states)

    @property
    def frames(self) -> Iterator[str]:
        """Its pictures, as SVG."""
        return (self._game.svg(self._puzzle, state) for state in self._states)

    def html(self) -> str:
        """A picture and its player, to be put into a page."""
        known, frames = dict[str, int](), list[list[int]]()
        first = ""
        for svg in self.frames:
            first = first or svg
            frames.append([known.setdefault(part, len(known)) for part in _PARTS.findall(svg)])
        id, label = f"winnable-{secrets.token_hex(6)}", words.t("timeline.label")
        settings = {
            "id": id,
            "parts": [*known],
            "frames": frames,
            "captions": self._captions(),
            "delay": round(1000 * self._delay),
            "play": words.t("watch.play"),
            "pause": words.t("watch.pause"),
        }
        caption = escape(self._captions()[0])
        slider = f'<input type="range" min="0" max="{len(self) - 1}" value="0" aria-label="{escape(label)}">'
        return (
            f'<figure id="{id}"><style>{_STYLE.replace("{id}", id)}</style>'
            f'<img src="{as_source(first)}" alt="{caption}">'
            f'<div hidden><button type="button"></button>{slider}</div>'
            f"<figcaption>{caption}</figcaption>"
            f"<script>{_PLAYER}({json.dumps(settings).replace('<', chr(92) + 'u003c')});</script></figure>"
        )

    def save(self, path: str | Path) -> None:
        """A page of its own, which any browser shows. Raises WinnableError."""
        title = escape(words.t(f"game.{self._game.name}"))
        page = (
            f'<!doctype html>\n<html lang="{words.language()}">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{title}</title>\n{self.html()}\n</html>\n"
        )
        write_file(path_of("path", path), page.encode())

    def __repr__(self) -> str:
        return f"<winnable.Animation {self._game.name}, {len(self) - 1} moves>"

    def _repr_html_(self) -> str:
        return self.html()

    def _captions(self) -> list[str]:
        last = len(self._names)
        places = [words.t("timeline.place", ply=ply, length=last) for ply in range(last + 1)]
        return [places[0], *(f"{place}: {name}" for place, name in zip(places[1:], self._names, strict=True))]


def as_source(svg: str) -> str:
    """The picture as the source of an `img`, where its styles and names are its own, and nothing in it
    runs."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"

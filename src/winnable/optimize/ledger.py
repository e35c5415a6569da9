"""The bookkeeping of every optimiser: what was asked for and told, the best of it, and when to stop."""

from __future__ import annotations

from collections import Counter
from typing import Any

from winnable.inert.arrays import ArrayLike, np
from winnable.optimize.base import Floats, Genomes, checked_count, checked_genomes, checked_losses
from winnable.optimize.state import StateReader, header, to_json


class Ledger:
    """Which genomes were asked for and not told yet, how many were told, and the best of them.

    Each genome waits under its bytes, with `width` numbers (its notes: parent, parameters) that the optimiser
    gets back with the loss. A genome that was asked for twice may be told twice; its notes come in the order
    of asking.

        ledger = Ledger(genes, np.float64, width=1, max_generations=None, max_evaluations=1000)
        ledger.enter(genomes, notes)  # in ask
        genomes, losses, notes = ledger.settle(genomes, losses)  # in tell; all checked, all or nothing
        ledger.generation += 1  # when the optimiser thinks that one is finished
    """

    def __init__(
        self,
        genes: int,
        dtype: Any,
        width: int,
        max_generations: int | None = None,
        max_evaluations: int | None = None,
    ) -> None:
        self._genes, self._dtype = genes, np.dtype(dtype)
        for name, limit in (("max_generations", max_generations), ("max_evaluations", max_evaluations)):
            if limit is not None:
                checked_count(name, limit, 1)
        self._max_generations, self._max_evaluations = max_generations, max_evaluations
        self._notes: Floats = np.zeros((64, width))
        self._free = list(range(64))
        self._waiting: dict[bytes, int] = {}
        self._again: dict[bytes, list[int]] = {}
        self._best: tuple[Genomes, float] | None = None
        self.generation = 0
        self.evaluations = 0

    @property
    def best(self) -> tuple[Genomes, float]:
        """The genome with the least loss, and that loss. Raises ValueError before any was told."""
        if self._best is None:
            raise ValueError("best: nothing is known before the first tell")
        genome, loss = self._best
        return genome.copy(), loss

    @property
    def notes(self) -> Floats:
        """float [waiting, width]: a copy of the notes of what was asked for and not told yet."""
        return self._notes[[place for _, place in self._entries()]]

    def should_stop(self) -> bool:
        """Whether a limit is reached; without limits always False."""
        return (self._max_generations is not None and self.generation >= self._max_generations) or (
            self._max_evaluations is not None and self.evaluations >= self._max_evaluations
        )

    def enter(self, genomes: Genomes, notes: Floats | None = None) -> None:
        """genomes: [n, genes] as `ask` gives them out; notes: float [n, width]."""
        n = len(genomes)
        while len(self._free) < n:
            size = len(self._notes)
            self._free.extend(range(size, 2 * size))
            self._notes = np.concatenate([self._notes, np.zeros_like(self._notes)])
        places = self._free[-n:]
        del self._free[-n:]
        if notes is not None:
            self._notes[places] = notes
        keys = self._keys_of(genomes)
        if len(set(keys)) == n and self._waiting.keys().isdisjoint(keys):
            self._waiting.update(zip(keys, places, strict=True))
            return
        for key, place in zip(keys, places, strict=True):
            if key in self._waiting:
                self._again.setdefault(key, []).append(place)
            else:
                self._waiting[key] = place

    def settle(self, genomes: ArrayLike, losses: ArrayLike) -> tuple[Genomes, Floats, Floats]:
        """What `tell` got, checked: genomes [n, genes], losses [n], notes [n, width]; counted, and no longer
        waited for. Raises ValueError that names the argument; then nothing has changed."""
        told = checked_genomes(genomes, self._genes, self._dtype)
        judged = checked_losses(losses, len(told))
        places = self._leave(self._keys_of(told))
        self.evaluations += len(told)
        first = int(judged.argmin())
        if self._best is None or judged[first] < self._best[1]:
            self._best = told[first].copy(), float(judged[first])
        return told, judged, self._notes[places]

    def _leave(self, keys: list[bytes]) -> list[int]:
        """The places of these genomes, which become free; or ValueError and no change."""
        unique = set(keys)
        if not self._again and len(unique) == len(keys) and self._waiting.keys() >= unique:
            places = list(map(self._waiting.pop, keys))
        else:
            self._check_asked(keys)
            places = self._leave_slowly(keys)
        self._free.extend(reversed(places))
        return places

    def _check_asked(self, keys: list[bytes]) -> None:
        counts = Counter(keys)
        for number, key in enumerate(keys):
            if key not in self._waiting:
                raise ValueError(f"genomes: genome {number} was not asked for, or is told already")
            if counts[key] > 1 + len(self._again.get(key, ())):
                raise ValueError(f"genomes: genome {number} is told {counts[key]} times, more than asked for")

    def _leave_slowly(self, keys: list[bytes]) -> list[int]:
        """Where some genome waits more than once: the first asked for is the first told."""
        places: list[int] = []
        for key in keys:
            places.append(self._waiting.pop(key))
            if key in self._again:
                self._waiting[key] = self._again[key].pop(0)
                if not self._again[key]:
                    del self._again[key]
        return places

    def _entries(self) -> list[tuple[bytes, int]]:
        entries: list[tuple[bytes, int]] = []
        for key, place in self._waiting.items():
            entries.append((key, place))
            entries.extend((key, again) for again in self._again.get(key, ()))
        return entries

    def _keys_of(self, genomes: Genomes) -> list[bytes]:
        content, size = np.asarray(genomes, self._dtype).tobytes(), self._genes * self._dtype.itemsize
        return [content[first : first + size] for first in range(0, len(content), size)]

    def to_json(self) -> dict[str, Any]:
        """JSON values; for `read` of a ledger made with the same arguments."""
        entries = self._entries()
        genomes = np.frombuffer(b"".join(key for key, _ in entries), self._dtype).reshape(-1, self._genes)
        best = self._best
        return {
            "generation": self.generation,
            "evaluations": self.evaluations,
            "best_genome": None if best is None else to_json(best[0]),
            "best_loss": None if best is None else to_json(np.array([best[1]])),
            "waiting": to_json(genomes),
            "notes": to_json(self._notes[[place for _, place in entries]]),
        }

    def read(self, value: Any, low: ArrayLike, high: ArrayLike) -> Ledger:
        """The ledger that `to_json` of one with the same arguments wrote: a new one, so that this one stays
        until all of the state is read. low, high: the genes' bounds. Raises ValueError that names the
        field."""
        limits = self._max_generations, self._max_evaluations
        blank = Ledger(self._genes, self._dtype, self._notes.shape[1], *limits)
        reader = StateReader(value, "state: ledger")
        blank.generation, blank.evaluations = reader.integer("generation"), reader.integer("evaluations")
        if (reader.value("best_genome") is None) != (blank.evaluations == 0):
            raise ValueError("state: ledger: best_genome: known if and only if some genome was told")
        if blank.evaluations:
            genome = reader.genomes("best_genome", (blank._genes,), blank._dtype, low, high)
            loss = reader.floats("best_loss", (1,), infinite=True)
            blank._best = genome, float(loss[0])
        waiting = reader.genomes("waiting", (-1, blank._genes), blank._dtype, low, high)
        notes = reader.floats("notes", (len(waiting), blank._notes.shape[1]), infinite=True, nan=True)
        if len(waiting):
            blank.enter(waiting, notes)
        return blank


class Told:
    """What every optimiser answers from its ledger; it has no state of its own."""

    _ledger: Ledger

    @property
    def generation(self) -> int:
        return self._ledger.generation

    @property
    def evaluations(self) -> int:
        return self._ledger.evaluations

    @property
    def best(self) -> tuple[Genomes, float]:
        return self._ledger.best

    @property
    def recommendation(self) -> Genomes:
        """The best genome, where the optimiser keeps no distribution that had a mean."""
        return self.best[0]

    def should_stop(self) -> bool:
        return self._ledger.should_stop()

    def _settings(self) -> dict[str, Any]:
        """What must be the same to continue a run, as JSON values."""
        raise NotImplementedError

    def _state(self) -> dict[str, Any]:
        """What every state has: whose it is, and the ledger."""
        return {**header(type(self).__name__, self._settings()), "ledger": self._ledger.to_json()}

    def _read(self, state: Any, low: ArrayLike, high: ArrayLike) -> tuple[StateReader, Ledger]:
        """What reads the other fields, and the ledger. Raises ValueError for a state of another optimiser."""
        reader = StateReader(state)
        reader.check_header(type(self).__name__, self._settings())
        return reader, self._ledger.read(reader.part("ledger"), low, high)

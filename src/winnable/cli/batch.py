"""The options of a batch, and how a command runs it: on which workers, which part, and into which file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

from winnable.batches.files import RowFile, Shard, kept_rows
from winnable.batches.tables import table_at, write_table
from winnable.cli.options import output_option, writable
from winnable.cli.output import json_line, note, write_output
from winnable.contract.errors import LevelError, WinnableError
from winnable.words import language, t, tn

if TYPE_CHECKING:
    from winnable.batches.requests import Request
    from winnable.batches.running import Row
    from winnable.cli.work import Work

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class Batch(Struct, frozen=True):
    """What the options of a batch say."""

    workers: str | None = None
    executor: str | None = None
    shard: Shard = Shard()
    resume: str | None = None

    @property
    def is_here(self) -> bool:
        """Whether all is worked out in this process."""
        return self.workers is None and self.executor is None

    def rows(
        self,
        work: Work,
        requests: Sequence[Request],
        again: Callable[[Row], Request | None] = lambda row: None,
    ) -> Iterator[Row]:
        """The answers, in order, until Ctrl-C; where no worker came to an end with a request, that is told in
        place of a row. Raises WinnableError where there is no such engine."""
        from winnable.batches.running import Row, rows
        from winnable.workers.engines import make_engine
        from winnable.workers.executor import TaskError

        for told in rows(requests, make_engine(self.workers, self.executor), work.whole(), again):
            if not isinstance(told, Row):
                work.tell(told)
            elif isinstance(told.answer, TaskError):
                note(told.answer.said(language()))
                work.lost += 1
            else:
                yield told


def batch_options(command: F) -> F:
    """The options of a batch, which reach the command as one value, `batch`."""
    return workers_options(_shard_option(_resume_option(command)))


def workers_options(command: F) -> F:
    """Where the work is done."""
    workers = click.option(
        "--workers",
        metavar="N|auto",
        help="Processes that work, auto: as many as cores and memory allow; else this one alone.",
    )
    executor = click.option(
        "--executor", metavar="WHERE", help="Where to work instead: dask://HOST:PORT, or slurm."
    )
    return workers(executor(command))


def _shard(ctx: click.Context, param: click.Parameter, text: str | None) -> Shard:
    return Shard() if text is None else Shard.parse(text)


_shard_option = click.option(
    "--shard", metavar="I/N", callback=_shard, help="Part I of N alone; together they are the whole."
)
_resume_option = click.option(
    "--resume",
    metavar="FILE",
    callback=writable,
    help="A JSONL file that rows are appended to as they come; those that it has are not worked out again.",
)

rows_option = output_option(
    None, "File for the rows: JSONL, appended to as they come; .csv or .parquet, written at the end."
)


class Rows:
    """Where the rows of a command go: into the file that it goes on with or writes anew; where there is none
    to stdout. `with Rows(...) as rows:` ..."""

    def __init__(
        self, batch: Batch, output: str | None, as_json: bool, one: bool = False, told: bool = False
    ) -> None:
        """as_json: all of them are one document on stdout. one: there is a single row, which is written whole
        or not at all. told: stdout is for what people read, unless it is for JSON. Raises WinnableError for
        two files."""
        if batch.resume is not None and output not in (None, "-"):
            raise WinnableError("batch.files", field="resume")
        self._path = batch.resume or output or "-"
        self._goes_on, self._as_json = batch.resume is not None, as_json
        self._one = one and not self._goes_on
        self.is_told = told and not as_json
        """Whether people are told what is in a row."""
        self._table = None if self._goes_on else table_at(Path(self._path))
        self._shown = list[bytes]()
        self.count = 0
        self._file: RowFile | None = None

    def kept(self, read: Callable[[bytes], T | None]) -> Iterator[T]:
        """What the file has already, but rows that are read as None. Raises WinnableError that names the line
        which cannot be read."""
        for line, content in enumerate(kept_rows(Path(self._path)) if self._goes_on else (), 1):
            try:
                row = read(content)
            except WinnableError as error:
                raise error.within(f"{self._path[:200]}:{line}") from None
            if row is not None:
                self._count(content)
                yield row

    def named(self, names: Iterable[str], read: Callable[[bytes], tuple[str, T]]) -> Iterator[tuple[str, T]]:
        """Likewise, of rows with the names of their requests, each as often as it is asked for: more of them
        are none. Raises WinnableError, also for a row of another."""
        left = Counter(names)

        def asked(content: bytes) -> tuple[str, T] | None:
            name, row = read(content)
            if name not in left:
                raise LevelError("batch.other")
            left[name] -= 1
            return None if left[name] < 0 else (name, row)

        return self.kept(asked)

    def rest(self, wanted: range, take: Callable[[bytes, range], range]) -> range:
        """The places wanted that are left, of rows that stand in their order: `take` says which are after a
        row. Raises WinnableError, likewise."""
        rest = wanted

        def taken(content: bytes) -> range:
            nonlocal rest
            rest = take(content, rest)
            return rest

        for _ in self.kept(taken):
            pass
        return rest

    def __enter__(self) -> Rows:
        if self._goes_on:
            self._file = RowFile(Path(self._path), goes_on=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add_named(self, request: Request, values: Mapping[str, Any]) -> None:
        """A row that is named by its request. Raises WinnableError."""
        self.add(json_line({"request": request.name, **values}))

    def add(self, row: bytes) -> None:
        """Raises WinnableError."""
        self._count(row)
        if self._path != "-" and not self._one and self._table is None:
            self._file = self._file or RowFile(Path(self._path), self._goes_on)
            self._file.append(row)
        elif self._path == "-" and not (self._as_json or self._one or self.is_told):
            click.echo(row)

    def _count(self, row: bytes) -> None:
        """Many thousands are kept in memory only where they are all shown at the end."""
        self.count += 1
        if self._as_json or self._one or self._table is not None:
            self._shown.append(row)

    def tell(self, what: str, interrupted: bool) -> None:
        """Writes what is not written yet, and says how many rows there are, and how to go on. Raises
        click.Abort where there are none, WinnableError."""
        if self._file is not None:
            self._file.settle()
        if interrupted and not self.count:
            raise click.Abort
        if self._table is not None and self.count:
            write_table(self._table, [json.loads(row) for row in self._shown])
        elif self._one and self.count and not (self._path == "-" and (self._as_json or self.is_told)):
            write_output(self._path, self._shown[0], b"\n")
        if self._as_json and self._one and self.count:
            write_output("-", self._shown[0], b"\n")
        elif self._as_json and not self._one:
            write_output("-", b"[" + b",\n".join(self._shown) + b"]\n")
        if self._path != "-" and self.count:
            note(tn(f"cli.{what}.written", self.count, output=self._path))
            if interrupted and not self._one:
                note(t("cli.batch.resume", file=self._path))

"""`python -m tests.dask_cluster ALLOWED_FAILURES WORKERS`: a Dask scheduler and so many worker processes with
nannies, on loopback. Prints its address; ends with its standard input."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE


@contextmanager
def dask_cluster(allowed: int, workers: int = 2) -> Generator[str]:
    """Gives `dask://HOST:PORT`. allowed: deaths of its workers until a task is given up"""
    root = str(Path(__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.dask_cluster", str(allowed), str(workers)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": root},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield process.stdout.readline().strip()
        process.stdin.close()
        process.wait(PATIENCE)


if __name__ == "__main__":
    dask: Any = import_module("dask")
    distributed: Any = import_module("distributed")
    dask.config.set({"distributed.scheduler.allowed-failures": int(sys.argv[1])})
    with distributed.LocalCluster(
        n_workers=int(sys.argv[2]),
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit="600MiB",  # where a worker's nanny ends it
    ) as cluster:
        print(cluster.scheduler_address.replace("tcp", "dask"), flush=True)
        sys.stdin.read()

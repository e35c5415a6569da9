"""`python -m tests.dask_cluster ALLOWED_FAILURES`: a Dask scheduler and two worker processes with nannies, on
loopback. Prints its address; ends with its standard input."""

import sys
from importlib import import_module
from typing import Any

if __name__ == "__main__":
    dask: Any = import_module("dask")
    distributed: Any = import_module("distributed")
    dask.config.set({"distributed.scheduler.allowed-failures": int(sys.argv[1])})
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        print(cluster.scheduler_address.replace("tcp", "dask"), flush=True)
        sys.stdin.read()

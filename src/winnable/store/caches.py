"""Where what can be made again is kept: compiled kernels, decoded networks.

`WINNABLE_CACHE` names the folder; else it is the user's own cache folder. Its files are trusted (some are
pickles), so it and all folders above it must belong to this user, or to root as in a container's image, and
nobody else may write there; that is looked at each time. Where nothing can be written, a temporary folder
serves this process and its children, and goes with it.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

KERNELS = "kernels"
"""The part of what was compiled."""
SITE = "site"
"""The part of what sites are made of and is fetched."""
PREFIX = "winnable-cache-"
"""Of temporary folders, followed by the number of the process that they belong to."""


def readable(part: str) -> list[Path]:
    """The folders to look into for files of this part, the best first; some may be missing."""
    wanted, scratch = _wanted() / part, writable(part)
    return [scratch] if wanted == scratch or not is_trusted(wanted) else [wanted, scratch]


def writable(part: str) -> Path:
    """The folder where to write files of this part. It is there, but may be full. Raises OSError when there
    is no folder for temporary files either."""
    wanted = _wanted() / part
    if _is_own(wanted):
        return wanted
    folder = _temporary() / part
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def is_empty(part: str) -> bool:
    """Whether there is no file of this part."""
    with suppress(OSError):
        return not any(any(folder.iterdir()) for folder in readable(part) if folder.is_dir())
    return True


def _wanted() -> Path:
    named = os.environ.get("WINNABLE_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("winnable"))


def _is_own(folder: Path) -> bool:
    """Makes the folder if it must; True when we may write there and nobody else may."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return is_trusted(folder) and os.access(folder, os.W_OK)
    return False


def is_trusted(path: Path) -> bool:
    """Whether nobody but this user, or root, can have put there what lies at the path, also by a folder above
    it or a link that leads there."""
    try:
        absolute, real = path.absolute(), path.resolve(strict=True)
        if not hasattr(os, "getuid"):  # Windows: the profile folder is the user's own
            return True
        ways = {*absolute.parents, real, *real.parents}
        return all(_is_ours(place.stat(), is_end=place == real) for place in ways)
    except (OSError, RuntimeError):  # a link to itself
        return False


def _is_ours(info: os.stat_result, is_end: bool) -> bool:
    """is_end: no folder above the one that is asked for"""
    user = os.getuid()
    others = stat.S_IWOTH
    if is_end or not (user and info.st_gid == info.st_uid == user):  # a group of this user alone
        others |= stat.S_IWGRP
    if info.st_uid not in (user, 0):
        return False
    # Who may write into a folder like /tmp may not rename what is not theirs.
    return not info.st_mode & others or (not is_end and bool(info.st_mode & stat.S_ISVTX))


@cache
def _temporary() -> Path:
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    os.environ["WINNABLE_CACHE"] = str(folder)  # the children's, too
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # a child that was forked only uses it
        shutil.rmtree(folder, ignore_errors=True)


def _sweep() -> None:
    """Removes what processes left that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = re.match(rf"{PREFIX}(\d+)-", folder.name)
        if owner and hasattr(os, "getuid") and is_trusted(folder) and not _runs(int(owner[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True

"""Whose process is at the other end of a connection on this machine, as the kernel of a Linux says it: nobody
can forge that. Other systems, and a kernel that does not tell, are taken to be one person's.
"""

from __future__ import annotations

import os
import socket
import struct
import sys

_SOCK_DIAG, _BY_FAMILY, _REQUEST, _ANY = 4, 20, 1, 0xFFFFFFFF
_ESTABLISHED = 1
_UID_AT = 16 + 4 + 48 + 12
"""In the answer: after the header, four bytes, the socket's addresses, and three numbers."""
ROOT = 0

Address = tuple[str, int]


def is_ours(client: Address, server: Address) -> bool:
    """Whether the process at `client` is this user's or root's. A connection that is not whole any more is
    nobody's; one whose other end this machine does not know comes from elsewhere by a way that somebody
    made."""
    if sys.platform != "linux":
        return True
    try:
        here, uid = _look_up(client, server)
        if uid is None:
            here, _ = _look_up(server, client)
    except OSError:
        return True
    return here and (uid is None or uid in _trusted())


def _trusted() -> set[int]:
    """With the person behind `sudo`."""
    return {ROOT, os.getuid(), int(os.environ.get("SUDO_UID") or ROOT)}


def _look_up(local: Address, remote: Address) -> tuple[bool, int | None]:
    """Of the socket of this machine with these two ends: whether the connection stands, and whose it is; a
    socket that its process has closed already is root's, so only one that stands counts. See sock_diag(7).
    Raises OSError."""
    ends = struct.pack(
        "!HH4s12x4s12x", local[1], remote[1], socket.inet_aton(local[0]), socket.inet_aton(remote[0])
    )
    asked = struct.pack("=BBBxI", socket.AF_INET, socket.IPPROTO_TCP, 0, _ANY) + ends
    asked += struct.pack("=III", 0, _ANY, _ANY)
    header = struct.pack("=IHHII", 16 + len(asked), _BY_FAMILY, _REQUEST, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
        kernel.settimeout(1.0)
        kernel.send(header + asked)
        answer = kernel.recv(8192)
    (kind,) = struct.unpack_from("=H", answer, 4)
    if kind != _BY_FAMILY:
        (code,) = struct.unpack_from("=i", answer, 16)
        if -code != 2:  # ENOENT: there is no such socket
            raise OSError(-code, "sock_diag")
        return False, None
    (uid,) = struct.unpack_from("=I", answer, _UID_AT)
    return answer[17] == _ESTABLISHED, uid

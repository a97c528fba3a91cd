# SPDX-License-Identifier: MIT
"""``python3 -m stiction.controller FILE.py --fd N``: a controller in Python, for ``stiction run``.

With ``--listen PATH`` it waits for ``stiction run --controller unix:PATH`` instead, in a terminal of its
own; docs/controller_protocol.md has the protocol, docs/python.md how to write one.
"""
from __future__ import annotations

import argparse
import os
import select
import socket
import sys
import threading
import time
from typing import Optional, Sequence

from .control import Connection, Peer


def _listen(path: str, file: str, once: bool) -> int:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as waiting:
        try:
            waiting.bind(path)
        except OSError as problem:
            print(f"{path}: cannot be listened at: {problem.strerror}", file=sys.stderr)
            return 1
        try:
            waiting.listen()
            print(f"{file} waits for: stiction run ... --controller unix:{path}", flush=True)
            while True:
                connected, _ = waiting.accept()
                peer = Peer(Connection(connected), file)
                if once:
                    with connected:
                        return peer.serve()
                threading.Thread(target=_serve, args=(peer, connected), daemon=True).start()
        except KeyboardInterrupt:
            return 0
        finally:
            os.unlink(path)


def _end_with(connected: socket.socket) -> None:
    """Ends the process some seconds after its host, also where the controller never returns."""

    def wait() -> None:
        hung_up = select.poll()
        hung_up.register(connected, select.POLLRDHUP)
        hung_up.poll()
        time.sleep(5)  # for a controller that closes its files
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _serve(peer: Peer, connected: socket.socket) -> None:
    with connected:
        peer.serve()


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The program."""
    parser = argparse.ArgumentParser(
        prog="python3 -m stiction.controller",
        description="Runs a controller that is written in Python. `stiction run ROBOT --controller "
        "FILE.py` starts it by itself.",
    )
    parser.add_argument("file", metavar="FILE.py", help="with a class Controller or a function step")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--fd", type=int, metavar="N", help="a connected socket that was inherited")
    how.add_argument("--listen", metavar="PATH", help="wait at a Unix socket that is made here")
    parser.add_argument("--once", action="store_true", help="with --listen: end after one run")
    given = parser.parse_args(arguments)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore
    if given.listen is not None:
        return _listen(given.listen, given.file, given.once)
    try:
        connected = socket.socket(fileno=given.fd)
    except OSError as problem:
        parser.error(f"--fd {given.fd} is not a socket: {problem.strerror}")
    with connected:
        _end_with(connected)
        return Peer(Connection(connected), given.file).serve()


if __name__ == "__main__":
    sys.exit(main())

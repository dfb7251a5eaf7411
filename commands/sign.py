"""`sign`: vouch for a run with a key of one's own, and keep an authority's time stamp with it."""

import argparse
from pathlib import Path

from . import EXIT_OK

NAME = "sign"
SUMMARY = "sign a run with a key of your own; keep an authority's time stamp with it"
EPILOG = """examples:
  mannequin sign --new-key my_key.pem
  mannequin sign out/fall_20260101T120000Z --key my_key.pem --signer "A. Expert"
  mannequin sign out/fall_20260101T120000Z --request
  mannequin sign out/fall_20260101T120000Z --time-stamp answer.tsr --authority authority.pem

Nothing is sent anywhere: --request writes the query that you give to a time stamp authority (RFC 3161), and
--time-stamp takes the answer that you got. Note the fingerprint of your key in the case file; others check with
verify --signer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="*", metavar="RUN", help="run folder")
    parser.add_argument("--new-key", metavar="FILE", help="make a new Ed25519 key and print its fingerprint")
    parser.add_argument("--key", metavar="FILE", help="sign with this key")
    parser.add_argument("--signer", default="", metavar="NAME", help="who signs, as it is to be read")
    parser.add_argument(
        "--passphrase-file", metavar="FILE", help="first line: the passphrase of the key; none without it"
    )
    parser.add_argument("--request", action="store_true", help="write a query for a time stamp authority")
    parser.add_argument("--time-stamp", metavar="FILE", help="check the authority's answer and keep it")
    parser.add_argument(
        "--authority", action="append", default=[], metavar="FILE", help="certificate that it must lead to"
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked for, in this order: make a key, sign, write queries, take an answer."""
    from ..io_json.errors import FileError

    if not (args.new_key or args.runs) or (args.runs and not (args.key or args.request or args.time_stamp)):
        raise FileError("give --new-key, or a run folder with --key, --request or --time-stamp")
    _do(args)
    return EXIT_OK


def _do(args: argparse.Namespace) -> None:
    from ..evidence.signing import time_stamp
    from ..evidence.signing.keys import fingerprint, grouped, new_key, raw_public, read_key
    from ..evidence.signing.signature import sign_run

    passphrase = _passphrase(args.passphrase_file)
    if args.new_key:
        print(f"fingerprint {grouped(new_key(Path(args.new_key), passphrase))}")
    key = read_key(Path(args.key), passphrase) if args.key else None
    for name in args.runs:
        folder = Path(name)
        if key is not None:
            print(sign_run(folder, key, args.signer))
            print(f"fingerprint {grouped(fingerprint(raw_public(key)))}")
        if args.request:
            print(time_stamp.write_request(folder))
        if args.time_stamp:
            authorities = [Path(path) for path in args.authority]
            print(time_stamp.add_time_stamp(folder, Path(args.time_stamp), authorities).text)


def _passphrase(path: str | None) -> str:
    from ..io_json import strict_json

    if not path:
        return ""
    return strict_json.decode(strict_json.read_bytes(path, 65536)).partition("\n")[0].strip()

"""The command line: one module per subcommand.

A command module offers

    NAME            what is typed after `python -m mannequin`
    SUMMARY         one line for --help
    EPILOG          examples and the like, below its --help; may be left out
    add_arguments(parser)   declare the arguments
    run(args) -> int        do the job and return one of the exit codes below

A FileError that leaves `run` is printed behind the command's name and becomes EXIT_USAGE; a command catches it only to
go on with the next of several files.

To add a command, write `commands/<name>.py` and put its module name into COMMAND_MODULES. Import anything heavy (NumPy,
the engine, Matplotlib, Blender) inside `run`, so that --help answers at once.
"""

import argparse
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

# Exit codes, the same for every command.
EXIT_OK = 0  # done
EXIT_FAILED = 1  # the run itself failed
EXIT_USAGE = 2  # wrong arguments, or an input file that cannot be used
EXIT_MISMATCH = 3  # verification found a difference
EXIT_INTERRUPTED = 130  # stopped with Ctrl-C

EXIT_CODE_HELP = """exit codes:
  0    done
  1    the run failed
  2    wrong arguments, or an input file that cannot be used
  3    verification found a difference
  130  interrupted"""

# In the order in which --help lists them.
COMMAND_MODULES = (
    "run",
    "render",
    "report",
    "channels",
    "motion",
    "view",
    "verify",
    "sign",
    "case",
    "disclose",
    "validate",
    "convert",
    "models",
    "moment_arms",
    "vehicle",
    "camera",
    "scan",
    "witness",
    "sweep",
    "fit",
    "hypotheses",
    "bench",
    "warmup",
    "worker",
)


def load_commands() -> Iterator[ModuleType]:
    """Yield the command modules in order."""
    for name in COMMAND_MODULES:
        yield import_module(f".{name}", __package__)


def build_parser(version: str) -> argparse.ArgumentParser:
    """Return the parser of the whole command line; `args.run` is the chosen command's function."""
    parser = argparse.ArgumentParser(
        prog="mannequin",
        description="Reconstruct falls and impacts.",
        epilog=EXIT_CODE_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in load_commands():
        subparser = subparsers.add_parser(
            command.NAME,
            help=command.SUMMARY,
            description=command.SUMMARY,
            epilog=getattr(command, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run, command=command.NAME)
    return parser

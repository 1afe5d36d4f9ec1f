"""What the commands have in common in reading their arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, NoReturn

from qm_constructs.cli._output import plain, write

# To ask for the terminal's width would import shutil, with every compression that it knows.
_FORMATTER: Final = partial(argparse.RawDescriptionHelpFormatter, width=79)


class UsageError(Exception):
    """The arguments are not what the command takes; its text says what is."""


class _Once(argparse.Action):
    """Keeps the value of an option that may be given once, where argparse keeps the last."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Keeps the value."""
        given = namespace.__dict__.setdefault("given_once", set())
        if self.dest in given:
            parser.error(f"{option_string} is given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """A parser of options that stand anywhere, which says what is wrong and a hint in one line.

    Args:
        prog: The command, as it is typed.
        takes: What it takes, as its help shows it.
        description: What it does, in a sentence.
        epilog: What its help ends with.
    """

    def __init__(self, prog: str, takes: str, description: str, epilog: str) -> None:
        super().__init__(
            prog,
            # Also saves argparse the time to make a usage of its own.
            usage=f"{prog} {takes}",
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=_FORMATTER,
        )
        self.register("action", None, _Once)

    def parse(self, arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """Returns the options, and all else; what follows ``--`` is no option."""
        end = arguments.index("--") if "--" in arguments else len(arguments)
        options, others = self.parse_known_args(arguments[:end])
        for word in others:
            if word.startswith("-") and word != "-":
                raise self._unknown_option(word.partition("=")[0])
        return options, [*others, *arguments[end + 1 :]]

    def _unknown_option(self, option: str) -> UsageError:
        near = did_you_mean(option, self._option_string_actions)
        return self.wrong(
            f"there is no option '{plain(option)}'", near or f"see {self.prog} --help"
        )

    def wrong(self, problem: str, hint: str) -> UsageError:
        """Returns the error for arguments that are wrong.

        Args:
            problem: What is wrong.
            hint: What to type, or where to look.
        """
        return UsageError(plain(f"{self.prog}: {problem} -> {hint}"))

    def error(self, message: str) -> NoReturn:
        """Raises argparse's own complaint."""
        raise self.wrong(plain(message), f"see {self.prog} --help")

    def print_help(self, file: object = None) -> None:
        """Shows the help, which a closed pipe may cut short."""
        del file
        write(self.format_help(), sys.stdout)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns a hint that names what is spelt like a word, empty where nothing is."""
    from difflib import get_close_matches  # noqa: PLC0415

    near = [plain(name) for name in get_close_matches(word, list(known))]
    return f"did you mean {_either(near)}?" if near else ""


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))

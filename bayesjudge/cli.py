"""The command line: `bayesjudge demo`, `bayesjudge diagnose` and `bayesjudge rank`."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

import bayesjudge as bj
from bayesjudge.errors import BayesjudgeError
from bayesjudge.face import inputs

BROKEN, NO_POSTERIOR, INTERRUPTED = 2, 3, 130  # exit codes: see `main`


USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]  # of the Click inside Typer


app = typer.Typer(
    name="bayesjudge", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.

    Returns
    -------
    int
        Exit code: 0; 2 where the input is at fault, with one sentence on standard error; 3 where
        results are written but chains do not agree, so that a posterior is missing; 130 after
        Ctrl-C. Anything else is a bug in bayesjudge and leaves with its traceback.
    """
    try:
        with _progress_on_stderr():
            return app(arguments, prog_name="bayesjudge", standalone_mode=False) or 0
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BayesjudgeError as error:
        return _refuse(str(error))
    except USAGE_ERROR as error:
        return _refuse(_usage(error))
    except Exception as error:
        error.add_note("This is a bug in bayesjudge: please report it with the lines above.")
        raise


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Rank language models from pairwise verdicts of LLM judges and a few humans."""
    if version:
        typer.echo(f"bayesjudge {bj.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def demo(out: inputs.DemoOut = Path("bayesjudge-demo")) -> None:
    """Show what the package does, on a synthetic panel with known truth."""
    from bayesjudge.face.commands import demo as run
    from bayesjudge.face.screen import screen

    run(screen(), out)


@app.command()
def diagnose(
    file: inputs.File,
    humans: inputs.Humans = None,
    as_json: inputs.Json = False,
    on_missing: inputs.OnMissing = "raise",
    on_invalid: inputs.OnInvalid = "raise",
    on_self: inputs.OnSelf = "raise",
    both_bad: inputs.BothBad = "raise",
    verdicts: inputs.Verdicts = None,
    column: inputs.Columns = None,
) -> None:
    """Say what the verdicts can and cannot identify, before any fit."""
    from bayesjudge.face.commands import diagnose as run
    from bayesjudge.face.inputs import Reading, read_inputs
    from bayesjudge.face.screen import screen

    reading = Reading(on_missing, on_invalid, on_self, both_bad, verdicts, tuple(column or ()))
    document = run(screen(quiet=as_json), read_inputs(file, humans, reading))
    if as_json:
        _print_json(document)


@app.command()
def rank(
    file: inputs.File,
    out: inputs.Out,
    humans: inputs.Humans = None,
    program: inputs.Program = "sensitivity",
    ties: inputs.Ties = "half",
    seed: inputs.Seed = 1,
    draws: inputs.Draws = 1000,
    warmup: inputs.Warmup = 500,
    as_json: inputs.Json = False,
    on_missing: inputs.OnMissing = "raise",
    on_invalid: inputs.OnInvalid = "raise",
    on_self: inputs.OnSelf = "raise",
    both_bad: inputs.BothBad = "raise",
    verdicts: inputs.Verdicts = None,
    column: inputs.Columns = None,
) -> None:
    """Rank the items: which is better, by how much, and how sure one may be.

    Exit code 0: all is written. 2: the input is at fault, and one sentence says how. 3: the chains
    of a posterior do not agree; the rest is written, and standard error says what to do.
    """
    from bayesjudge.face.commands import rank as run
    from bayesjudge.face.fits import Choice
    from bayesjudge.face.inputs import Reading, read_inputs
    from bayesjudge.face.screen import screen

    reading = Reading(on_missing, on_invalid, on_self, both_bad, verdicts, tuple(column or ()))
    inputs = read_inputs(file, humans, reading)
    choice = Choice(program, ties, seed, draws, warmup)
    document = run(screen(quiet=as_json), inputs, choice, out)
    if as_json:
        _print_json(document)
    if any(part["posterior"] is None for part in (document["fit"], document["humans"]) if part):
        raise typer.Exit(NO_POSTERIOR)


def _print_json(document: dict[str, Any]) -> None:
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def _refuse(sentence: str) -> int:
    from bayesjudge.face.spelling import as_options
    from bayesjudge.report.shown_names import printable

    typer.echo(printable(as_options(sentence)), err=True)
    return BROKEN


def _usage(error: Exception) -> str:
    """Write Click's message as one sentence that says where to look."""
    message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    message = message.replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "bayesjudge"
    return f"{' '.join(message.split())}; see {command} --help."


@contextmanager
def _progress_on_stderr() -> Iterator[None]:
    """Let progress bars, which use Rich's own console, leave standard output to results."""
    import rich

    rich.reconfigure(stderr=True)
    try:
        yield
    finally:
        rich.reconfigure()

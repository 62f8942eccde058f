"""The command line: `bayesjudge demo`, `bayesjudge diagnose` and `bayesjudge rank`."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

import bayesjudge as bj
from bayesjudge.errors import BayesjudgeError
from bayesjudge.face import options
from bayesjudge.face.choice import Choice, choose
from bayesjudge.face.inputs import read_arguments, read_inputs

INVALID_INPUT, NO_POSTERIOR, INTERRUPTED = 2, 3, 130  # exit codes
USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]  # of the Click inside Typer

app = typer.Typer(
    name="bayesjudge", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, or the code of invalid input, no posterior or Ctrl-C."""
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
def demo(out: options.DemoOut = Path("bayesjudge-demo")) -> None:
    """Demonstrate the package on synthetic verdicts whose true scores are known."""
    from bayesjudge.face.commands import demo as run
    from bayesjudge.face.screen.text import screen

    run(screen(), out)


@app.command()
def diagnose(
    file: options.File,
    humans: options.Humans = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
    kind: options.Kind = None,
    unknown_order: options.UnknownOrder = False,
    on_missing: options.OnMissing = "raise",
    on_invalid: options.OnInvalid = "raise",
    on_self: options.OnSelf = "raise",
    both_bad: options.BothBad = "raise",
    verdicts: options.Verdicts = None,
    column: options.Columns = None,
) -> None:
    """Report what the verdicts can and cannot identify, before any fit."""
    from bayesjudge.face.commands import diagnose as run
    from bayesjudge.face.screen.text import screen

    arguments = read_arguments(
        verdicts,
        column,
        unknown_order,
        on_missing=on_missing,
        on_invalid=on_invalid,
        on_self=on_self,
        both_bad=both_bad,
        missing_length="keep",
    )
    inputs = read_inputs(file, humans, kind, arguments)
    document = run(screen(quiet=as_json), inputs, verbose)
    if as_json:
        _print_json(document)


@app.command()
def rank(
    file: options.File,
    out: options.Out,
    humans: options.Humans = None,
    program: options.Program = None,
    ties: options.Ties = "half",
    terms: options.Terms = None,
    by: options.By = None,
    seed: options.Seed = Choice.seed,
    draws: options.Draws = Choice.draws,
    warmup: options.Warmup = Choice.warmup,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
    kind: options.Kind = None,
    unknown_order: options.UnknownOrder = False,
    on_missing: options.OnMissing = "raise",
    on_invalid: options.OnInvalid = "raise",
    on_self: options.OnSelf = "raise",
    both_bad: options.BothBad = "raise",
    missing_length: options.MissingLength = "keep",
    verdicts: options.Verdicts = None,
    column: options.Columns = None,
) -> None:
    """Rank the items, with intervals for scores, ranks and win probabilities.

    Exit codes: 0, all results are written; 2, the input is invalid, and standard error says why;
    3, the chains of a posterior did not converge: the other results are written, and standard
    error says what to do.
    """
    from bayesjudge.face import commands
    from bayesjudge.face.categories import split
    from bayesjudge.face.screen.text import screen

    arguments = read_arguments(
        verdicts,
        column,
        unknown_order,
        on_missing=on_missing,
        on_invalid=on_invalid,
        on_self=on_self,
        both_bad=both_bad,
        missing_length=missing_length,
    )
    inputs, console = read_inputs(file, humans, kind, arguments), screen(quiet=as_json)
    sampling = {"seed": seed, "draws": draws, "warmup": warmup}
    choice = choose(inputs, program, ties, terms, sampling)
    if by is None:
        document = commands.rank(console, inputs, choice, out, verbose)
    else:
        categories = split(inputs, by, file, humans)
        document = commands.rank_by(console, inputs, categories, choice, out, verbose)
    if as_json:
        _print_json(document)
    if any(part["posterior"] is None for part in _fits(document)):
        raise typer.Exit(NO_POSTERIOR)


def _fits(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a document says of the fits of its rankings, of judges and of humans."""
    rankings = document.get("categories", {"": document}).values()
    return [part for one in rankings for part in (one["fit"], one["humans"]) if part]


def _print_json(document: dict[str, Any]) -> None:
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def _refuse(sentence: str) -> int:
    from bayesjudge.face.spelling import as_options
    from bayesjudge.report.shown_names import printable

    typer.echo(printable(as_options(sentence)), err=True)
    return INVALID_INPUT


def _usage(error: Exception) -> str:
    """Return Click's message as one sentence that names the help."""
    message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    message = message.replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "bayesjudge"
    return f"{' '.join(message.split())}; see {command} --help."


@contextmanager
def _progress_on_stderr() -> Iterator[None]:
    """Send progress bars, which use Rich's own console, to standard error."""
    import rich

    rich.reconfigure(stderr=True)
    try:
        yield
    finally:
        rich.reconfigure()

"""The commands `ofc rules`: list, show, diff, check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ingest.command import Commands

rules_app = Commands(help="The rule sets: list them, show one, compare two, check a file of your own.")

Name = Annotated[str, typer.Argument(help="name of a rule set, or the path of a rule file")]


def register(app: typer.Typer) -> None:
    """Add `ofc rules` to the root command."""
    app.add_typer(rules_app, name="rules")


@rules_app.callback(invoke_without_command=True)
def list_rules(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="the list as data")] = False,
) -> None:
    """List the rule sets with one line each."""
    if context.invoked_subcommand is not None:
        return
    from ingest.game.errors import RuleError
    from ingest.game.rulebook import one_line
    from ingest.game.rules import builtin_rules, load_rules, user_rules
    from ingest.places import rule_folders

    lines = [(name, one_line(rules)) for name, rules in builtin_rules().items()]
    for name, path in user_rules(rule_folders()).items():
        try:
            lines.append((name, f"{one_line(load_rules(path, rule_folders()))} (yours: {path})"))
        except RuleError as error:
            lines.append((name, f"not valid: {error}"))
    if as_json:
        import orjson

        typer.echo(orjson.dumps([{"name": name, "title": title} for name, title in lines], option=orjson.OPT_INDENT_2))
        return
    width = max(len(name) for name, _ in lines)
    for name, title in lines:
        typer.echo(f"{name:<{width}}  {title}")


@rules_app.command("show")
def show_rules(
    name: Name, as_toml: Annotated[bool, typer.Option("--toml", help="as a rule file, whole")] = False
) -> None:
    """Print a rule set whole, as a player would want to read it."""
    from rich.table import Table
    from rich.text import Text

    from ingest.console import print_wide
    from ingest.game.rulebook import book_page
    from ingest.game.rules import find_rules
    from ingest.places import rule_folders

    rules = find_rules(name, rule_folders())
    if as_toml:
        from ingest.game.rule_files import format_toml

        typer.echo(format_toml(rules.data), nl=False)
        return
    page = book_page(rules)
    # As Text, so that what a file says is never taken for markup.
    print_wide(Text.assemble((rules.name, "bold"), f": {page.title}\n"))
    text = Table.grid(padding=(0, 2))
    text.add_column(style="bold")
    text.add_column(max_width=90)
    for topic, sentence in page.sentences:
        text.add_row(topic, Text(sentence))
    print_wide(text)
    for block in page.tables:
        table = Table(*block.head, title=block.title, title_justify="left")
        for column in table.columns[1:]:
            column.justify = "right"
        for row in block.rows:
            table.add_row(*row)
        print_wide("", table)


@rules_app.command("diff")
def diff_rules(
    first: Name, second: Name, as_json: Annotated[bool, typer.Option("--json", help="the differences as data")] = False
) -> None:
    """Print what differs between two rule sets."""
    from ingest.game.rulebook import change_words, differences
    from ingest.game.rules import find_rules
    from ingest.places import rule_folders

    a, b = find_rules(first, rule_folders()), find_rules(second, rule_folders())
    changes = differences(a, b)
    if as_json:
        import orjson

        rows = [{"key": key, a.name: left, b.name: right} for key, left, right in changes]
        typer.echo(orjson.dumps(rows, option=orjson.OPT_INDENT_2))
        return
    if not changes:
        typer.echo(f"{a.name} and {b.name} score alike.")
        return
    from rich.table import Column, Table
    from rich.text import Text

    from ingest.console import print_wide

    table = Table(Column("key", no_wrap=True), Column(Text(a.name)), Column(Text(b.name)))
    for key, left, right in changes:
        table.add_row(key, change_words(left), change_words(right))
    print_wide(table)


@rules_app.command("check")
def check_rules(files: Annotated[list[Path], typer.Argument(help="rule files (.toml)")]) -> None:
    """Check rule files; exit code 3 if one of them is not valid."""
    from ingest.game.errors import RuleError, plain
    from ingest.game.rulebook import differences
    from ingest.game.rules import find_rules, load_rules
    from ingest.places import rule_folders

    bad = False
    for file in files:
        try:
            rules = load_rules(file, rule_folders())
            base = rules.base and find_rules(rules.base, (file.parent, *rule_folders()))
        except RuleError as error:
            bad = True
            typer.echo(plain(f"not valid: {error}"), err=True)
            continue
        changed = ""
        if base:
            count = len(differences(base, rules))
            changed = f", {base.name} with {count} {'change' if count == 1 else 'changes'}"
        typer.echo(f"valid: {file}: rule set {rules.name}{changed}")
    if bad:
        raise typer.Exit(3)

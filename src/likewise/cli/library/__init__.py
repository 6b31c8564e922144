"""`likewise library …`: looking after a library."""

from __future__ import annotations

import typer

from likewise.cli.library import (
    changes,
    copies,
    duplicates,
    health,
    originals,
    partners,
    recipe,
    similar,
)

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    help="Looking after a library: recipe, size, health, duplicates, similar documents, backups, "
    "moving, partners.",
    epilog="""[bold]Examples[/]

  likewise library stats
  likewise library verify --library campus.db
  likewise library backup campus-monday.db --library postgresql://campus/library
  likewise library copy-to postgresql://campus/library --library campus.db
""",
)
app.command(epilog=recipe.CREATE_EXAMPLES)(recipe.create)
app.command(epilog=health.STATS_EXAMPLES)(health.stats)
app.command(epilog=health.VERIFY_EXAMPLES)(health.verify)
app.command(epilog=duplicates.EXAMPLES)(duplicates.duplicates)
app.command(epilog=similar.EXAMPLES)(similar.similar)
app.command("set", epilog=changes.SET_METADATA_EXAMPLES)(changes.set_metadata)
app.command(epilog=health.REBUILD_EXAMPLES)(health.rebuild)
app.command(epilog=recipe.RECIPE_EXAMPLES)(recipe.recipe)
app.command("stop-words", epilog=changes.STOP_WORDS_EXAMPLES)(changes.stop_words)
app.command(epilog=copies.BACKUP_EXAMPLES)(copies.backup)
app.command(epilog=copies.RESTORE_EXAMPLES)(copies.restore)
app.command("copy-to", epilog=copies.COPY_TO_EXAMPLES)(copies.copy_to)
app.command(epilog=originals.EXAMPLES)(originals.originals)
app.command(epilog=partners.EXPORT_EXAMPLES)(partners.export)
app.command(epilog=partners.KEY_EXAMPLES)(partners.key)
app.command(epilog=health.UPGRADE_EXAMPLES)(health.upgrade)

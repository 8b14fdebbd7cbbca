"""python -m bot: see bot/cli.py for the commands."""


def main() -> None:
    """Run the command line."""
    from bot.cli import app  # noqa: PLC0415  # kept out of the import of this module

    app()


if __name__ == "__main__":
    main()

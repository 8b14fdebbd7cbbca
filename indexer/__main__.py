"""python -m indexer: see indexer/cli/app.py for the commands."""


def main() -> None:
    """Run the command line."""
    from indexer.cli.app import app  # noqa: PLC0415  # processes that read files import this module again, and need none of it

    app()


if __name__ == "__main__":
    main()

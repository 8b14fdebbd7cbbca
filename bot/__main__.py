"""python -m bot: see bot/cli.py for the commands."""

from bot.cli import app


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()

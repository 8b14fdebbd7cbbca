"""python -m lab.evaluation: see lab/evaluation/cli.py for the commands."""

from lab.evaluation.cli import app

if __name__ == "__main__":
    app()

"""python -m rag.evaluation: see rag/evaluation/cli.py for the commands."""

from rag.evaluation.cli import app

if __name__ == "__main__":
    app()

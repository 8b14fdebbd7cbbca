"""What the ranker learns from: manuals and lists of questions that Debian 12 packages, and how to fetch them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class PackageSource:
    """Some files of one package."""

    package: str
    folder: str
    """Below which the files stand, in the unpacked package."""
    pattern: str
    family: str
    """What it is about: a question is off the subject in an index that holds no source of its family."""
    asks: bool
    """Whether its headings are questions."""
    title: str = ""
    """Put in front of the titles of its files."""
    most_chars: int = 1_000_000


SOURCES: Final = (
    PackageSource("perl-doc", "usr/share/perl", "*/pod/perlfaq[1-9].pod", "perl", asks=True),
    PackageSource("perl-doc", "usr/share/perl", "*/pod/perlunifaq.pod", "perl", asks=True),
    PackageSource("python3.11-doc", "usr/share/doc/python3.11/html/faq", "*.html", "python", asks=True),
    PackageSource("debian-faq", "usr/share/doc/debian/FAQ", "*.en.html", "debian", asks=True, title="Debian FAQ – "),
    PackageSource("debian-faq-de", "usr/share/doc/debian/FAQ/de", "*.html", "debian", asks=True, title="Debian FAQ – "),
    PackageSource("debian-faq-fr", "usr/share/doc/debian/FAQ/fr", "*.html", "debian", asks=True, title="Debian FAQ – "),
    PackageSource("git-doc", "usr/share/doc/git-doc", "gitfaq.html", "git", asks=True),
    PackageSource("fetchmail", "usr/share/doc/fetchmail", "fetchmail-FAQ.html", "fetchmail", asks=True),
    PackageSource("r-doc-html", "usr/share/R/doc/manual", "R-FAQ.html", "r", asks=True),
    PackageSource("mplayer-doc", "usr/share/doc/mplayer/HTML", "en/faq.html", "mplayer", asks=True),
    PackageSource("mplayer-doc", "usr/share/doc/mplayer/HTML", "de/faq.html", "mplayer", asks=True),
    PackageSource("mplayer-doc", "usr/share/doc/mplayer/HTML", "fr/faq.html", "mplayer", asks=True),
    PackageSource("mplayer-doc", "usr/share/doc/mplayer/HTML", "es/faq.html", "mplayer", asks=True),
    PackageSource("apache2-doc", "usr/share/doc/apache2-doc/manual", "en/ssl/ssl_faq.html", "apache", asks=True),
    PackageSource("apache2-doc", "usr/share/doc/apache2-doc/manual", "fr/ssl/ssl_faq.html", "apache", asks=True),
    PackageSource("zsh-doc", "usr/share/doc/zsh-common/html", "FAQ0*.html", "zsh", asks=True, title="Zsh FAQ – "),
    PackageSource(
        "debian-reference-en",
        "usr/share/debian-reference",
        "*.en.html",
        "debian",
        asks=False,
        most_chars=250_000,
    ),
    PackageSource(
        "postfix-doc", "usr/share/doc/postfix/html", "*_README.html", "postfix", asks=False, most_chars=350_000
    ),
    PackageSource(
        "python3.11-doc", "usr/share/doc/python3.11/html", "howto/*.html", "python", asks=False, most_chars=300_000
    ),
    PackageSource(
        "python3.11-doc", "usr/share/doc/python3.11/html", "tutorial/*.html", "python", asks=False, most_chars=200_000
    ),
    PackageSource("apache2-doc", "usr/share/doc/apache2-doc/manual/en/howto", "*.html", "apache", asks=False),
    PackageSource("git-doc", "usr/share/doc/git-doc", "git*tutorial*.html", "git", asks=False),
    PackageSource("git-doc", "usr/share/doc/git-doc", "gitworkflows.html", "git", asks=False),
)


def fetch(folder: Path) -> dict[str, str]:
    """Download the packages with apt and unpack them below `folder`, each by its name; give their versions.

    Raises subprocess.CalledProcessError where apt or dpkg fails: it runs on Debian 12 alone.
    """
    versions: dict[str, str] = {}
    for package in sorted({source.package for source in SOURCES}):
        place = folder / package
        if not place.is_dir():
            subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=True)  # noqa: S603, S607  # names from above
            archive = next(folder.glob(f"{package}_*.deb"))
            subprocess.run(["dpkg-deb", "-x", archive.name, package], cwd=folder, check=True)  # noqa: S603, S607  # likewise
        versions[package] = next(folder.glob(f"{package}_*.deb")).stem.split("_")[1].replace("%3a", ":")
    return versions

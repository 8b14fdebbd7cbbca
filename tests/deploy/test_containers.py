"""The containers start in order, see the same drive, and are told nothing that the programs do not know."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web

from bot.health import Health
from deploy.settings import settings
from tests.processes import free_port

ROOT = Path(__file__).parents[2]


@pytest.fixture
def services() -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = compose()["services"]
    return loaded


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return loaded


def dockerfile() -> str:
    return (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")


def test_compose_uses_only_keys_that_its_specification_knows(services: dict[str, dict[str, Any]]) -> None:
    assert {key for key in compose() if not key.startswith("x-")} == {"name", "services", "volumes", "secrets"}
    known = {"image", "build", "command", "env_file", "environment", "volumes", "restart", "healthcheck", "secrets"}
    known |= {"ports", "depends_on", "stop_grace_period", "profiles"}
    for service in services.values():
        assert set(service) <= known
        assert ("image" in service) != ("build" in service)
        assert set(service.get("healthcheck", {})) <= {"test", "interval", "timeout", "retries"}


def test_every_volume_and_secret_that_is_used_is_declared(services: dict[str, dict[str, Any]]) -> None:
    sources = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", [])}
    assert {source for source in sources if source.isalpha()} == set(compose()["volumes"])
    assert {secret for service in services.values() for secret in service.get("secrets", [])} == set(
        compose()["secrets"]
    )


def test_each_service_that_others_wait_for_can_say_that_it_is_well(services: dict[str, dict[str, Any]]) -> None:
    waited_for = [(name, wait) for service in services.values() for name, wait in service.get("depends_on", {}).items()]
    assert {name for name, _ in waited_for} == {"qdrant", "redis"}
    for name, wait in waited_for:
        assert wait == {"condition": "service_healthy"}
        assert "healthcheck" in services[name]


def test_compose_sets_only_settings_that_exist(services: dict[str, dict[str, Any]]) -> None:
    known = {setting.name for setting in settings()} | {"FOOTNOTE_SECRETS_DIR"}
    for service in services.values():
        assert set(service.get("environment", {})) <= known
    assert set(compose()["secrets"]) <= known


def test_the_bot_is_given_longer_to_stop_than_it_takes(services: dict[str, dict[str, Any]]) -> None:
    grace = next(setting for setting in settings() if setting.name == "FOOTNOTE_GRACE_SECONDS")
    assert int(services["bot"]["stop_grace_period"].rstrip("s")) > float(grace.default)


def test_both_programs_see_the_drive_at_the_same_path_and_cannot_write_to_it(
    services: dict[str, dict[str, Any]],
) -> None:
    [bot] = [volume for volume in services["bot"]["volumes"] if ":/drive" in volume]
    [indexer] = [volume for volume in services["indexer"]["volumes"] if ":/drive" in volume]
    assert bot == indexer
    assert bot.endswith(":ro")


def test_nothing_is_published_beyond_this_machine(services: dict[str, dict[str, Any]]) -> None:
    for service in services.values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


@pytest.mark.parametrize(("status", "well"), [(200, True), (503, False)])
async def test_qdrant_is_well_when_it_says_that_it_is_ready(
    status: int, well: bool, services: dict[str, dict[str, Any]]
) -> None:
    async def ready(request: web.Request) -> web.Response:
        del request
        return web.Response(status=status)

    port = free_port()
    server = web.Application()
    server.add_routes([web.get("/readyz", ready)])
    runner = web.AppRunner(server)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    _, _, _, command = services["qdrant"]["healthcheck"]["test"]
    shell = shutil.which("bash")
    assert shell is not None
    try:
        check = await asyncio.create_subprocess_exec(shell, "-c", command.replace("6333", str(port)))
        assert (await check.wait() == 0) is well
    finally:
        await runner.cleanup()


def test_the_image_asks_the_bot_where_it_answers() -> None:
    port = next(setting for setting in settings() if setting.name == "FOOTNOTE_HTTP_PORT").default
    [asked] = re.findall(r"http://127\.0\.0\.1:(\d+/\w+)", dockerfile())
    assert asked == f"{port}/readyz"
    assert "/readyz" in str(Health.routes.__doc__)
    assert f"EXPOSE {port}" in dockerfile()


def test_the_image_runs_as_nobody_in_particular_and_is_installed_from_pinned_versions() -> None:
    _, *stages = re.split(r"^FROM ", dockerfile(), flags=re.MULTILINE)
    assert [stage.split(" AS ")[1].split()[0] for stage in stages] == ["build", "base", "indexer", "bot"]
    assert "USER footnote" in stages[1]
    assert all("USER" not in stage for stage in stages[2:])
    assert '-c constraints.txt ".[${EXTRAS}]"' in stages[0] and "torch]" not in dockerfile()


def test_what_the_image_copies_is_let_through() -> None:
    let_through = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    copied = {
        source
        for words in (line.split()[1:] for line in dockerfile().splitlines() if line.startswith("COPY "))
        if not words[0].startswith("--from")
        for source in words[:-1]
    }
    assert copied == let_through
    assert all((ROOT / source).exists() for source in copied)


@pytest.mark.parametrize("name", ["deploy/Dockerfile", "docker-compose.yml", "constraints.txt"])
def test_no_version_is_left_to_chance(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert ":latest" not in text
    if name == "constraints.txt":
        assert all("==" in line for line in text.splitlines() if line.strip())

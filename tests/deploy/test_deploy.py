"""The files that Likewise is run with: what they name is there, and nothing secret is in them."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from likewise.cli.app import app
from likewise.server.config import PREFIX, Config
from tests.server.test_administration import PAGE, SOURCES

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "container" / "Containerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
COMPOSE_S3: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.s3.yaml").read_text("utf-8"))
KUBERNETES = [
    part
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    if path.name != "kustomization.yaml"
    for part in yaml.safe_load_all(path.read_text("utf-8"))
]
KUSTOMIZATION = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text("utf-8"))
ENTRYPOINT = DEPLOY / "container" / "entrypoint"
SECRETS = re.search(r"for name in (.*?);", ENTRYPOINT.read_text("utf-8").replace("\\\n", ""))[1]
OURS = [COMPOSE["services"][name] for name in ("upgrade", "server", "worker")]
PODS = {
    one["metadata"]["name"]: one["spec"]["template"]["spec"]
    for one in KUBERNETES
    if one["kind"] in ("Deployment", "Job")
}


def known_variables() -> set[str]:
    """What a process reads, what its entrypoint does, and what PostgreSQL's library does."""
    read = {name for source in SOURCES for name in re.findall(r'"(LIKEWISE_[A-Z_]+)"', source)}
    settings = {PREFIX + name.upper() for name in Config.__dataclass_fields__}
    return read | settings | {f"{name}_FILE" for name in SECRETS.split()}


def is_command(words: list[str]) -> bool:
    """Whether the command line knows a command with its options."""
    command: Any = get_command(app)
    rest = list(words)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    return all(word in known for word in rest if word.startswith("--")) and command.callback


# The image


def steps_of(word: str) -> list[str]:
    text = re.sub(r"\\\n\s*", " ", CONTAINERFILE)
    return re.findall(rf"^{word} (.*)$", text, re.M)


def test_the_image_runs_as_somebody_who_is_not_root_and_stops_as_the_server_expects() -> None:
    last_stage = CONTAINERFILE.rpartition("\nFROM ")[2]
    assert re.findall(r"^USER (.*)$", last_stage, re.M) == ["10001:10001"]
    assert steps_of("STOPSIGNAL") == ["SIGTERM"]
    assert '"is-ready"' in steps_of("HEALTHCHECK")[0]
    assert '"tini"' in steps_of("ENTRYPOINT")[0]


def test_the_image_starts_with_a_command_and_settings_that_there_are() -> None:
    (start,) = steps_of("CMD")[-1:]
    assert is_command(yaml.safe_load(start))
    named = set(re.findall(r"\b(LIKEWISE_[A-Z_]+)=", " ".join(steps_of("ENV"))))
    assert named and named <= known_variables()


def test_no_secret_and_no_history_gets_into_a_layer() -> None:
    settings = " ".join((*steps_of("ENV"), *steps_of("ARG")))
    assert not re.search(r"PASSWORD|SECRET|TOKEN|_KEY", settings)
    sources = [word for step in steps_of("COPY") for word in step.split()[:-1]]
    assert all((ROOT / one).exists() for one in sources if not one.startswith(("--", "/opt")))
    ignored = (DEPLOY / "container" / "Containerfile.dockerignore").read_text("utf-8").split("\n")
    assert "*" in ignored  # what is sent is named one by one
    assert not any("secrets" in line or ".git" in line for line in ignored if line[:1] == "!")


def test_the_image_installs_extras_that_the_package_has_at_pinned_versions() -> None:
    (extras,) = re.findall(r"\$\{wheel\}\[(.*?)\]", CONTAINERFILE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(extras.split(",")) <= project["optional-dependencies"].keys()
    assert "PIP_CONSTRAINT=/source/constraints.txt" in CONTAINERFILE


# Its entrypoint


@pytest.fixture
def run(tmp_path: Path):
    """The entrypoint in front of a command that prints its environment and its arguments."""
    command = tmp_path / "likewise"
    command.write_text('#!/bin/sh\nenv\nfor one in "$@"; do echo "<$one>"; done\n', "utf-8")
    command.chmod(0o755)

    def ran(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        own = {"PATH": f"{tmp_path}:{os.environ['PATH']}"} | variables
        return subprocess.run(
            [ENTRYPOINT, *arguments], env=own, capture_output=True, text=True, timeout=30
        )

    return ran


def test_secrets_are_taken_from_files(run, tmp_path: Path) -> None:
    secret = tmp_path / "with spaces"
    secret.write_text("it's $ecret\n", "utf-8")
    for name in SECRETS.split():
        ran = run("library", "two words", **{f"{name}_FILE": str(secret)})
        assert ran.returncode == 0, ran.stderr
        assert f"{name}=it's $ecret" in ran.stdout.splitlines()
        assert f"{name}_FILE" not in ran.stdout
        assert ran.stdout.splitlines()[-2:] == ["<library>", "<two words>"]


def test_a_secret_whose_file_is_missing_keeps_it_from_starting(run, tmp_path: Path) -> None:
    ran = run("serve", PGPASSWORD_FILE=str(tmp_path / "nowhere"))
    assert ran.returncode != 0
    assert "<serve>" not in ran.stdout


def test_a_server_that_does_not_answer_is_not_ready(run) -> None:
    assert run("is-ready", LIKEWISE_PORT="1").returncode == 1


# Compose


def test_every_service_runs_a_command_that_there_is_with_settings_that_there_are() -> None:
    for service in OURS:
        assert is_command(service["command"]), service["command"]
        assert service["environment"].keys() <= known_variables()
    assert COMPOSE["services"]["server"]["environment"]["LIKEWISE_WORKERS"] == "0"


def test_the_store_of_originals_is_the_same_for_all_that_is_ours_and_its_keys_are_files() -> None:
    ours = {name for name, one in COMPOSE["services"].items() if one in OURS}
    assert COMPOSE_S3["services"].keys() == ours
    for service in COMPOSE_S3["services"].values():
        environment = service["environment"]
        assert environment.keys() <= known_variables() | {"AWS_REGION"}
        files = {name: value for name, value in environment.items() if name.endswith("_FILE")}
        assert {f"{name}_FILE" for name in SECRETS.split() if "AWS" in name} < files.keys()
        assert set(files.values()) == {f"/run/secrets/{name}" for name in COMPOSE_S3["secrets"]}
        assert service["secrets"] == list(COMPOSE_S3["secrets"])


def test_services_are_as_confined_as_they_can_be() -> None:
    for service in OURS:
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        mounted = {volume.split(":")[-1] for volume in service.get("volumes", ())}
        assert mounted <= {"/var/lib/likewise", "/var/cache/likewise"}
    published = [
        one for service in COMPOSE["services"].values() for one in service.get("ports", ())
    ]
    assert all(port.startswith("127.0.0.1:") for port in published)  # a proxy stands before it


def test_a_server_starts_when_the_tables_are_there_and_the_tables_when_the_database_is() -> None:
    services = COMPOSE["services"]
    assert services["upgrade"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    for name in ("server", "worker"):
        after = services[name]["depends_on"]
        assert after == {"upgrade": {"condition": "service_completed_successfully"}}
    assert "pg_isready" in services["database"]["healthcheck"]["test"]


def test_secrets_are_files_that_are_declared_and_volumes_too() -> None:
    for service in COMPOSE["services"].values():
        assert set(service.get("secrets", ())) <= COMPOSE["secrets"].keys()
        named = {one.split(":")[0] for one in service.get("volumes", ())}
        assert named <= COMPOSE["volumes"].keys()
        for variable, value in service["environment"].items():
            if variable.endswith("_FILE"):
                assert value.removeprefix("/run/secrets/") in service["secrets"]
            else:
                assert not re.search(r"PASSWORD|SECRET", variable)


# systemd


def test_the_units_are_those_of_the_documentation() -> None:
    unit = (DEPLOY / "systemd" / "likewise.service").read_text("utf-8")
    assert f"```ini\n{unit}```" in PAGE
    environment = (DEPLOY / "systemd" / "likewise.env").read_text("utf-8").partition("\n")[2]
    assert f"```sh\n{environment}```" in PAGE


@pytest.mark.parametrize(
    "name", ["likewise.service", "likewise-worker.service", "likewise@.service"]
)
def test_units_start_a_command_that_there_is_and_leave_readers_what_they_need(name: str) -> None:
    unit = (DEPLOY / "systemd" / name).read_text("utf-8")
    settings = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
    words = settings["ExecStart"].split()
    assert words[0] == "/opt/likewise/bin/likewise"
    assert is_command(words[1:])
    assert settings["NoNewPrivileges"] == "yes"
    for option in ("RestrictNamespaces", "PrivateUsers", "SystemCallFilter", "PrivateNetwork"):
        assert option not in settings, option  # docs/administration.md tells why
    drain = re.search(r"DRAIN_SECONDS=(\d+)", unit)
    finish = re.search(r"FINISH_SECONDS=(\d+)", unit)
    waited = (int(drain[1]) + int(finish[1])) if drain and finish else 5
    assert int(settings["TimeoutStopSec"]) >= waited + 15  # and its workers


# Kubernetes


def test_every_file_is_named_and_every_pod_runs_a_command_that_there_is() -> None:
    files = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")}
    assert files == {*KUSTOMIZATION["resources"], "kustomization.yaml"}
    literals = KUSTOMIZATION["configMapGenerator"][0]["literals"]
    assert {one.partition("=")[0] for one in literals} <= known_variables()
    for pod in PODS.values():
        (container,) = pod["containers"]
        assert is_command(container["args"])
        assert {one["name"] for one in container.get("env", ())} <= known_variables()
        volumes = {one["name"] for one in pod["volumes"]}
        assert {one["name"] for one in container["volumeMounts"]} == volumes


def test_pods_are_as_confined_as_they_can_be() -> None:
    for pod in PODS.values():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        context = pod["containers"][0]["securityContext"]
        assert context["readOnlyRootFilesystem"] is True
        assert context["allowPrivilegeEscalation"] is False
        assert context["capabilities"] == {"drop": ["ALL"]}


def test_a_pod_that_is_told_to_stop_is_taken_out_before_it_ends() -> None:
    pod = PODS["likewise-server"]
    (container,) = pod["containers"]
    drain = next(
        int(one["value"]) for one in container["env"] if one["name"] == "LIKEWISE_DRAIN_SECONDS"
    )
    ready, alive = container["readinessProbe"], container["livenessProbe"]
    assert ready["httpGet"]["path"] == "/api/v1/health/ready"
    assert alive["httpGet"]["path"] == "/api/v1/health/process"
    assert drain > ready["periodSeconds"] * ready["failureThreshold"]
    finish = int(re.search(r"LIKEWISE_FINISH_SECONDS=(\d+)", CONTAINERFILE)[1])
    assert pod["terminationGracePeriodSeconds"] > drain + finish

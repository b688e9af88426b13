"""docs/scaling.md says what was tried: the cluster's very settings, and a proxy that hands events on."""

import re
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from service.http.api.request_bodies import LOG_BYTES
from service.records.live import HEARTBEAT_SECONDS
from tests.cluster.layout import agreed

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.M | re.S)
    return str(found)


def test_the_settings_are_those_of_the_trial() -> None:
    assert yaml.safe_load(block("yaml")) == agreed(synchronous=True)


def test_the_proxy_hands_on_what_comes_and_takes_what_the_service_takes() -> None:
    nginx = block("nginx")
    assert "proxy_buffering off;" in nginx and "ip_hash" not in nginx
    assert f"client_max_body_size {LOG_BYTES >> 20}m;" in nginx
    patience = re.search(r"proxy_read_timeout (\d+)s;", nginx)
    assert patience and int(patience[1]) > 2 * HEARTBEAT_SECONDS
    assert nginx.count("{") == nginx.count("}")


def test_the_image_can_be_built_for_it() -> None:
    (requirements,) = re.findall(r"--build-arg REQUIREMENTS=(\S+)", GUIDE)
    said = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert f" {requirements} ./\n" in said and '-r "$REQUIREMENTS"' in said
    assert "psycopg==" in (ROOT / requirements).read_text(encoding="utf-8")
    usual = re.search(r"^ARG REQUIREMENTS=(\S+)$", said, re.M)
    assert usual and (ROOT / usual[1]).exists()

"""The server of a live page: loopback only, its token, its host, and nothing else."""

import http.client
import json
from datetime import UTC, datetime

import pytest
from page_blocks import decode
from synthetic_run import make_recording, make_scenario

from mannequin.viewer.live import HOST, LivePage, run_live

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def live():
    made = LivePage(make_scenario(), make_recording())
    yield made
    made.close()


def ask(live, path, method="GET", host=None):
    connection = http.client.HTTPConnection(HOST, live.port, timeout=30)
    connection.request(method, path, headers={"Host": host or f"{HOST}:{live.port}"})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, data


def path_of(live, rest=""):
    return live.address.removeprefix(f"http://{HOST}:{live.port}") + rest


def test_the_page_and_its_news(live):
    status, data = ask(live, path_of(live))
    assert status == 200 and b"connect-src &#x27;self&#x27;" in data
    status, data = ask(live, path_of(live, "news?from=0"))
    news = json.loads(data)
    assert status == 200
    assert decode(news["blocks"][news["motion"]["times"]])[0] == pytest.approx(0.0)


@pytest.mark.parametrize("rest", ["/", "/wrong/", "/wrong/news?from=0", "/../../etc/passwd"])
def test_a_wrong_token_gets_nothing(live, rest):
    assert ask(live, rest)[0] == 404


@pytest.mark.parametrize("rest", ["other", "news?from=-1", "news?from=1e9", "news?from=99999999999999"])
def test_anything_else_is_refused(live, rest):
    assert ask(live, path_of(live, rest))[0] in (400, 404)


def test_another_host_is_refused(live):
    assert ask(live, path_of(live), host="evil.example")[0] == 404


def test_only_the_loopback_address_is_bound(live):
    assert live._server.server_address[0] == HOST


def test_cancel_stops_the_run(live):
    assert ask(live, path_of(live, "cancel"))[0] == 404
    assert not live.is_cancelled
    assert ask(live, path_of(live, "cancel"), "POST")[0] == 200
    assert live.is_cancelled


def test_a_run_is_shown_and_its_recording_is_the_ordinary_one():
    from mannequin.engine import run as simulate

    scenario = make_scenario()
    scenario.settings.duration = 0.02
    seen = []
    recording = run_live(scenario, seen.append, lambda state: None, lambda: False)
    assert seen and seen[0].startswith(f"http://{HOST}:")
    assert (recording.position == simulate(scenario).position).all()

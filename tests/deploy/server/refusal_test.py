import pytest
from allennlp.common.checks import ConfigurationError

from nerzoo.deploy.server.requests import LONGEST, OWN_FAULT, Refusal, refusal_of


def caused(cause):
    error = ConfigurationError("/srv/pipeline cannot be loaded")
    error.__cause__ = cause
    return error


def test_content_has_the_index_if_there_is_one():
    assert Refusal(422, "found a", 3).content == {"error": "found a", "index": 3}
    assert Refusal(422, "found a").content == {"error": "found a"}


@pytest.mark.parametrize("status, name", [(401, "WWW-Authenticate"), (429, "Retry-After")])
def test_headers_that_belong_to_a_status(status, name):
    assert name in Refusal(status, "").headers
    assert Refusal(422, "").headers == {}


def test_long_messages_are_shortened():
    assert len(str(Refusal(422, "a" * 10_000))) <= LONGEST + 5


def test_an_error_about_the_item_is_the_answer():
    found = refusal_of(ConfigurationError("found 1, expected 2"), is_read=True)
    assert (found.status, str(found)) == (422, "found 1, expected 2")


@pytest.mark.parametrize("error", [caused(OSError()), caused(ImportError())])
def test_files_of_the_server_stay_in_its_log(error, caplog):
    found = refusal_of(error, is_read=False)
    assert (found.status, str(found)) == (500, OWN_FAULT)
    assert "/srv/pipeline" in caplog.text


def test_what_fails_after_reading_is_the_servers_fault(caplog):
    found = refusal_of(RuntimeError("secret"), is_read=True)
    assert (found.status, str(found)) == (500, OWN_FAULT)
    assert "secret" in caplog.text


def test_what_cannot_be_read_is_the_clients_fault():
    found = refusal_of(TypeError("secret"), is_read=False)
    assert found.status == 422 and "secret" not in str(found) and "TypeError" in str(found)

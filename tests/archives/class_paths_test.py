import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer

import nerzoo.components  # noqa: F401
from nerzoo.archives.allowed import refuse


def test_a_second_archive_leaves_the_refusals_of_the_first():
    refuse(["first_archive.Indexer", "single_id"])
    refuse(["second_archive.Indexer"])
    for name in ("first_archive.Indexer", "second_archive.Indexer"):
        with pytest.raises(ConfigurationError, match=f"found the type '{name}' in the configuration of an archive"):
            TokenIndexer.by_name(name)
    assert TokenIndexer.by_name("single_id")

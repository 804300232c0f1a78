import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.predictors import Predictor


@pytest.mark.parametrize("job", ["ner", "fofe_lm"])
def test_a_text_of_a_million_characters(archives, job):
    predictor = Predictor.from_path(archives(job), import_plugins=False)
    # A language model counts the end of the sentence, too.
    with pytest.raises(ConfigurationError, match=r"found an item of 20000\d tokens, .*predictor.MAX_TOKENS, 20000"):
        predictor.predict_batch_json([{"sentence": "Mara lived in Calder."}, {"sentence": "word " * 200_000}])

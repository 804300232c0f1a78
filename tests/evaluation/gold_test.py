import json

from nerzoo.evaluation.gold import read_gold
from nerzoo.text.annotation import Entity

SENTENCE = {"words": ["Mara", "left"], "entities": [{"start": 0, "end": 1, "label": "PER"}], "doc_id": "d"}


def test_the_reader_of_validation_data_reads_gold_annotation_of_documents(tmp_path):
    path = tmp_path / "sentences.jsonl"
    path.write_text(json.dumps(SENTENCE) + "\n")
    corpora = {"validation_dataset_reader": "jsonl", "dataset_reader": "conllu"}
    config = {name: {"type": "tagged_sentences", "corpus": {"type": corpus}} for name, corpus in corpora.items()}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (sentence,) = read_gold(str(path), str(tmp_path / "config.json"), "entities")
    assert (sentence.gold, sentence.document_id) == ([Entity(0, 1, "PER")], "d")

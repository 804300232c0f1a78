import functools
import gc
import itertools
import json
import pickle
import shutil
import tarfile
import weakref
from configparser import ConfigParser

import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from helpers.archives import assert_same, documents, sentences
from helpers.forked import LIBRARIES, run_forked
from helpers.paths import FIXTURES, ROOT
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example

import nerzoo_spacy
from nerzoo.formats.conllu import ConlluCorpus
from nerzoo.inference import json_predictor
from nerzoo.inference.tagger import Tagger
from nerzoo.text import token_batches
from nerzoo.zoo.spacy_component import NerzooComponent

TEXT = "Mara lived in Calder."


def pipeline(archive, **config):
    nlp = spacy.blank("en")
    nlp.add_pipe("nerzoo", config={"model": str(archive), "device": "cpu", **config})
    return nlp


@pytest.fixture(scope="module")
def shared(archives):
    """Maps a main job, and options, to a pipeline, which tests do not change: it takes a second to load."""
    return functools.cache(lambda job, **config: pipeline(archives(job), **config))


@pytest.fixture(scope="module")
def tagger(archives):
    """Maps a main job to a tagger, which tests do not change."""
    return functools.cache(lambda job: Tagger.load(archives(job), device="cpu"))


def make_doc(vocab, parts):
    """A Doc of sentences as a predictor takes them."""
    annotation = {"words": [], "tags": [], "heads": [], "deps": []}
    for part in parts:
        start = len(annotation["words"])
        annotation["words"] += part["words"]
        annotation["tags"] += part["pos"]
        for position, head in enumerate(part["heads"]):
            annotation["heads"].append(start + (head - 1 if head else position))
            annotation["deps"].append(part["dep_labels"][position] if head else "ROOT")
    doc = Doc(vocab, **annotation)
    assert [len(span) for span in doc.sents] == [len(part["words"]) for part in parts]
    return doc


def single_trees(parts):
    """Without sentences that have several roots, each of which is a sentence for spaCy."""
    return [part for part in parts if part["heads"].count(0) == 1]


def spans_of(doc, key="nerzoo"):
    group = doc.spans[key]
    return [
        (span.start, span.end, span.label_, score) for span, score in zip(group, group.attrs["scores"], strict=True)
    ]


def expected_spans(predictions):
    found, start = [], 0
    for prediction in predictions:
        for entity in prediction["entities"]:
            found.append((start + entity["start"], start + entity["end"], entity["label"], entity["probability"]))
        start += len(prediction["words"])
    return [list(span) for span in found]


def test_the_entry_point_names_the_factory():
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    assert config["options.entry_points"]["spacy_factories"].strip() == "nerzoo = nerzoo_spacy:make_component"
    assert Language.get_factory_meta("nerzoo").factory == "nerzoo"
    assert nerzoo_spacy.make_component.__name__ == "make_component"


def test_what_is_imported_when():
    """Every process that makes a spaCy pipeline imports the factory, and few of these need the package."""
    source = """
import sys, nerzoo_spacy
assert "nerzoo" not in sys.modules
import nerzoo.models
assert "nerzoo.spacy_pipeline" not in sys.modules
"""
    assert run_forked(LIBRARIES, [source]) == [""]


@pytest.mark.parametrize("job", ["ner", "deptree_ner", "fofe_ner"])
def test_sentences_are_tagged_as_the_tagger_tags_them(shared, tagger, job):
    nlp = shared(job)
    items = [single_trees(document["sentences"]) for document in documents()[:4]]
    docs = list(nlp.pipe(make_doc(nlp.vocab, parts) for parts in items))
    for doc, parts in zip(docs, items, strict=True):
        expected = expected_spans(list(tagger(job)(parts)))
        assert_same([list(span) for span in spans_of(doc)], expected)
        assert [[ent.start, ent.end, ent.label_] for ent in doc.ents] == [span[:3] for span in expected]
        assert_same([list(span) for span in spans_of(nlp(make_doc(nlp.vocab, parts)))], expected)
    # FOFE-NER needs more training than this to find one.
    assert job == "fofe_ner" or any(doc.ents for doc in docs)


def test_documents_are_whole_for_a_memory(shared, tagger):
    nlp = shared("memory_ner")
    for document in documents()[:2]:
        parts = single_trees(document["sentences"])
        expected = expected_spans(tagger("memory_ner")({"sentences": parts})["sentences"])
        assert_same([list(span) for span in spans_of(nlp(make_doc(nlp.vocab, parts)))], expected)


def test_a_doc_without_sentences_is_one(shared, tagger):
    nlp = shared("ner")
    expected = tagger("ner")({"sentence": TEXT})
    assert_same([list(span) for span in spans_of(nlp(TEXT))], expected_spans([expected]))


@pytest.mark.parametrize("job", ["ner", "memory_ner", "fofe_ner"])
def test_white_space_is_no_word(shared, job):
    nlp = shared(job)
    texts = ["", " ", "\n\n \t", TEXT, f"\n\n{TEXT}", TEXT.replace(" ", "\n  "), ""]
    docs = list(nlp.pipe(texts))
    assert [doc.text for doc in docs] == texts
    assert all(not doc.ents and not doc.spans["nerzoo"] for doc in (*docs[:3], docs[-1]))
    plain, *others = [[(ent.text.split(), ent.label_) for ent in doc.ents] for doc in docs[3:6]]
    assert all(other == plain for other in others)
    assert [len(doc.ents) for doc in docs] == [len(nlp(text).ents) for text in texts]


def test_heads_pass_over_white_space(shared, tagger):
    nlp = shared("deptree_ner")
    words, pos = ["Mara", "\n", "lived", "in", " ", "Calder", "."], ["NNP", "_SP", "VBD", "IN", "_SP", "NNP", "."]
    deps = ["nsubj", "dep", "ROOT", "case", "dep", "obl", "punct"]
    # The head of "Calder" is white space, whose head is "lived".
    doc = Doc(nlp.vocab, words, heads=[2, 0, 2, 5, 2, 4, 2], deps=deps, tags=pos)
    plain = {
        "words": ["Mara", "lived", "in", "Calder", "."],
        "pos": ["NNP", "VBD", "IN", "NNP", "."],
        "heads": [2, 0, 4, 2, 2],
        "dep_labels": ["nsubj", "root", "case", "obl", "punct"],
    }
    expected = tagger("deptree_ner")(plain)
    assert [span[3] for span in spans_of(nlp(doc))] == pytest.approx(
        [entity["probability"] for entity in expected["entities"]], abs=1e-5
    )


class TestLabels:
    def doc(self, nlp, **changes):
        annotation = {
            "tags": ["NNP", "VBD", "IN", "NNP", "."],
            "heads": [1, 1, 3, 1, 1],
            "deps": ["nsubj", "ROOT", "case", "obl", "punct"],
            **changes,
        }
        return Doc(nlp.vocab, TEXT[:-1].split() + ["."], **annotation)

    @pytest.mark.parametrize(
        "changes, message",
        [
            ({"deps": ["nsubj", "ROOT", "prep", "pobj", "punct"]}, "dependency labels 'pobj', 'prep', which the model"),
            ({"tags": ["PROPN", "VBD", "IN", "NNP", "."]}, r"part-of-speech tags \(tag_\) 'PROPN', which the model"),
            ({"tags": None}, "found no part-of-speech tags, which the model reads, expected a tagger before nerzoo"),
            ({"deps": None, "heads": None}, "found no dependency parse, which the model reads, expected a parser"),
        ],
    )
    def test_that_do_not_fit_are_an_error(self, shared, changes, message):
        nlp = shared("deptree_ner")
        with pytest.raises(ConfigurationError, match=f"^the Doc 'Mara lived in Calder . ?': found .*{message[6:]}"):
            nlp(self.doc(nlp, **changes))

    def test_may_be_allowed(self, shared):
        nlp = shared("deptree_ner", allow_unknown_labels=True)
        assert "nerzoo" in nlp(self.doc(nlp, deps=["nsubj", "ROOT", "prep", "pobj", "punct"])).spans

    def test_are_of_no_matter_to_other_models(self, shared):
        nlp = shared("ner")
        assert "nerzoo" in nlp(self.doc(nlp, tags=["X"] * 5, deps=["x", "ROOT", "x", "x", "x"])).spans

    def test_of_a_stream_go_to_the_error_handler(self, archives):
        nlp = pipeline(archives("deptree_ner"))
        bad = self.doc(nlp, tags=["?"] * 5)
        good = [self.doc(nlp) for _ in range(2)]
        handled = []
        nlp.set_error_handler(lambda name, component, docs, error: handled.append((name, docs, str(error))))
        found = list(nlp.pipe([good[0], bad, good[1]]))
        assert found[0] is good[0] and found[1] is good[1] and len(found) == 2
        ((name, docs, message),) = handled
        assert name == "nerzoo" and docs[0] is bad and "'?'" in message
        nlp = pipeline(archives("deptree_ner"))
        with pytest.raises(ConfigurationError, match="tag_"):
            list(nlp.pipe([bad]))


class TestEntities:
    """Those that a Doc has already."""

    @pytest.fixture(scope="class")
    def found(self, tagger):
        """A sentence in which the model finds an entity."""
        tag = tagger("deptree_ner")
        part = next(part for part in single_trees(sentences()) if tag(part)["entities"])
        return part, tag(part)["entities"][0]

    @pytest.mark.parametrize("overwrite", [False, True])
    def test_that_overlap(self, shared, found, overwrite):
        part, entity = found
        nlp = shared("deptree_ner", overwrite_entities=overwrite)
        doc = make_doc(nlp.vocab, [part])
        doc.ents = [Span(doc, entity["start"], entity["end"], "THEIRS")]
        labels = {(ent.start, ent.end): ent.label_ for ent in nlp(doc).ents}
        assert labels[entity["start"], entity["end"]] == (entity["label"] if overwrite else "THEIRS")

    @pytest.mark.parametrize("overwrite", [False, True])
    def test_that_do_not(self, shared, tagger, found, overwrite):
        part, entity = found
        nlp = shared("deptree_ner", overwrite_entities=overwrite)
        other = next(
            place
            for place in range(len(part["words"]))
            if not any(span["start"] <= place < span["end"] for span in tagger("deptree_ner")(part)["entities"])
        )
        doc = make_doc(nlp.vocab, [part])
        doc.ents = [Span(doc, other, other + 1, "THEIRS")]
        labels = {(ent.start, ent.end): ent.label_ for ent in nlp(doc).ents}
        assert labels[other, other + 1] == "THEIRS" and labels[entity["start"], entity["end"]] == entity["label"]

    def test_spans_leave_them_alone(self, shared, found):
        nlp = shared("deptree_ner", annotate="spans", spans_key="sc")
        doc = nlp(make_doc(nlp.vocab, [found[0]]))
        assert not doc.ents and len(doc.spans["sc"]) == len(doc.spans["sc"].attrs["scores"]) > 0
        copy = next(iter(DocBin(docs=[doc]).from_bytes(DocBin(docs=[doc]).to_bytes()).get_docs(nlp.vocab)))
        assert spans_of(copy, "sc") == spans_of(doc, "sc")


def test_tags(shared, tagger):
    nlp = shared("seq2biseq", annotate="tag")
    doc = nlp("Mara  lived in Calder.")
    expected = tagger("seq2biseq")({"sentence": TEXT})["tags"]
    assert [token.tag_ for token in doc if not token.is_space] == expected
    assert [token.tag_ for token in doc if token.is_space] == ["_SP"]


def test_a_stream_is_read_as_it_goes_and_not_kept(archives, monkeypatch):
    monkeypatch.setattr(token_batches, "MAX_ITEMS", 10)
    nlp = pipeline(archives("ner"))
    alive, read = weakref.WeakSet(), []

    class Text:
        pass

    def texts():
        for number in itertools.count():
            mark = Text()
            alive.add(mark)
            read.append(number)
            # Every other Doc has no words.
            yield f"Text {number}" if number % 2 else " ", mark

    most = 0
    for number, (doc, _) in enumerate(itertools.islice(nlp.pipe(texts(), as_tuples=True), 100)):
        assert doc.text == (f"Text {number}" if number % 2 else " ")
        gc.collect(0)
        most = max(most, len(alive))
        assert len(read) <= number + 25
    assert most <= 25


def test_several_processes(shared):
    nlp = shared("ner")
    texts = [TEXT, "", "Jordan left Lindow.", "Rain."]
    expected = [spans_of(nlp(text)) for text in texts]
    docs = list(nlp.pipe(texts, n_process=2, batch_size=2))
    assert [doc.text for doc in docs] == texts
    assert_same([list(map(list, spans_of(doc))) for doc in docs], [list(map(list, spans)) for spans in expected])


def test_a_forked_process_computes_in_one_thread(archives, monkeypatch):
    """It would wait for the threads of its parent, which it does not have."""
    nlp, numbers = pipeline(archives("ner")), []
    monkeypatch.setattr("torch.set_num_threads", numbers.append)
    nlp(TEXT)
    assert not numbers
    monkeypatch.setattr("nerzoo.zoo.spacy_component.os.getpid", lambda: 0)
    nlp(TEXT)
    nlp(TEXT)
    assert numbers == [1]


def test_a_pipeline_with_a_tagger_and_a_parser(archives, tagger, spacy_pipeline, tmp_path):
    """As those of spaCy, which a model that reads trees needs: loaded, annotated, saved and loaded again."""
    nlp = spacy.load(spacy_pipeline)
    nlp.add_pipe("nerzoo", config={"model": str(archives("deptree_ner")), "device": "cpu"})
    texts = ["Mara laughed. Jordan left.", "Mara lived in Lindow."]
    parser = spacy.load(spacy_pipeline)
    expected = []
    for doc in parser.pipe(texts):
        parts = []
        for sentence in doc.sents:
            heads = [0 if token.head == token else token.head.i - sentence.start + 1 for token in sentence]
            dep_labels = ["root" if token.head == token else token.dep_ for token in sentence]
            words, pos = [token.text for token in sentence], [token.tag_ for token in sentence]
            parts.append({"words": words, "pos": pos, "heads": heads, "dep_labels": dep_labels})
        expected.append(expected_spans(list(tagger("deptree_ner")(parts))))
    nlp.to_disk(tmp_path / "pipeline")
    copy = spacy.blank("en")
    for name in nlp.pipe_names:
        copy.add_pipe(name)
    for found in (nlp, spacy.load(tmp_path / "pipeline"), copy.from_bytes(nlp.to_bytes())):
        assert_same([list(map(list, spans_of(doc))) for doc in found.pipe(texts)], expected)


def test_evaluate(shared):
    def examples(nlp):
        document = next(iter(ConlluCorpus(proper_names=True).read(FIXTURES / "people_and_places/dev.conllu")))
        for sentence in document.sentences[:20]:
            part = {name: getattr(sentence, name) for name in ("words", "pos", "heads", "dep_labels")}
            if not single_trees([part]):
                continue
            reference = make_doc(nlp.vocab, [part])
            spans = [Span(reference, *entity) for entity in sentence.entities]
            reference.spans["nerzoo"] = spans
            reference.ents = spacy.util.filter_spans(spans)
            yield Example(make_doc(nlp.vocab, [part]), reference)

    nlp = shared("deptree_ner")
    found = list(examples(nlp))
    scores = nlp.evaluate(found)
    predicted = [spans_of(nlp(example.predicted.copy())) for example in found]
    gold = [{(ent.start, ent.end, ent.label_) for ent in example.reference.ents} for example in found]
    right = sum(span[:3] in of_doc for spans, of_doc in zip(predicted, gold, strict=True) for span in spans)
    assert right > 0
    assert scores["ents_r"] == pytest.approx(right / sum(map(len, gold)))
    assert scores["ents_p"] == pytest.approx(right / sum(map(len, predicted)))
    nlp = shared("deptree_ner", annotate="spans")
    assert 0 < nlp.evaluate(list(examples(nlp)))["spans_nerzoo_f"] <= 1
    nlp = shared("seq2biseq", annotate="tag")
    assert 0 < nlp.evaluate(list(examples(nlp)))["tag_acc"] <= 1


class TestSaving:
    @pytest.fixture
    def original(self, archives, tmp_path):
        """An archive that a test may remove."""
        return shutil.copy(archives("ner"), tmp_path / "model.tar.gz")

    @pytest.mark.parametrize("used", [False, True])
    def test_to_disk_the_archive_is_with_the_pipeline(self, original, tmp_path, used):
        nlp = pipeline(original, spans_key="sc")
        expected = spans_of(pipeline(original)(TEXT))
        if used:
            nlp(TEXT)
        nlp.to_disk(tmp_path / "before")
        shutil.move(tmp_path / "before", tmp_path / "pipeline")
        original.unlink()
        with pytest.raises(ConfigurationError, match="model.tar.gz: found nothing there"):
            pipeline(original)
        loaded = spacy.load(tmp_path / "pipeline")
        assert loaded.pipe_labels == nlp.pipe_labels == {"nerzoo": ["organization", "person", "place"]}
        assert spans_of(loaded(TEXT), "sc") == expected
        assert loaded.config["components"] == nlp.config["components"]
        # Also onto itself, and when the folder is gone.
        loaded.to_disk(tmp_path / "pipeline")
        shutil.rmtree(tmp_path / "pipeline")
        loaded.to_disk(tmp_path / "again")
        assert spans_of(spacy.load(tmp_path / "again")(TEXT), "sc") == expected

    def test_to_bytes(self, original):
        nlp = pipeline(original)
        expected = spans_of(nlp(TEXT))
        content = nlp.to_bytes()
        original.unlink()
        copy = spacy.blank("en")
        copy.add_pipe("nerzoo", config={"device": "cpu"})
        assert spans_of(copy.from_bytes(content)(TEXT)) == expected

    def test_of_a_folder(self, original, tmp_path):
        with tarfile.open(original) as file:
            file.extractall(tmp_path / "folder", filter="data")
        nlp = pipeline(tmp_path / "folder")
        expected = spans_of(pipeline(original)(TEXT))
        assert spans_of(nlp(TEXT)) == expected
        nlp.to_disk(tmp_path / "pipeline")
        shutil.rmtree(tmp_path / "folder")
        assert spans_of(spacy.load(tmp_path / "pipeline")(TEXT)) == expected

    def test_what_was_loaded_is_saved(self, original, archives, tmp_path):
        nlp = pipeline(original)
        expected = spans_of(nlp(TEXT))
        shutil.copy(archives("deptree_ner"), original)
        nlp.to_disk(tmp_path / "pipeline")
        assert spans_of(spacy.load(tmp_path / "pipeline")(TEXT)) == expected

    def test_the_configuration(self, original):
        nlp = pipeline(original, annotate="spans", overwrite_entities=True, batch_tokens=100)
        copy = type(nlp).from_config(json.loads(json.dumps(nlp.config)))
        assert copy.config["components"] == nlp.config["components"]
        assert copy.get_pipe("nerzoo").tagger.predictor.batch_tokens == 100

    def test_a_copy_by_pickle(self, original):
        nlp = pipeline(original)
        component = nlp.get_pipe("nerzoo")
        expected = spans_of(nlp(TEXT))
        original.unlink()
        assert spans_of(pickle.loads(pickle.dumps(component))(nlp.make_doc(TEXT))) == expected


class TestErrors:
    def test_without_a_model(self, tmp_path, monkeypatch):
        monkeypatch.setattr("nerzoo.zoo.finding.FOLDERS", [])
        nlp = spacy.blank("en")
        nlp.add_pipe("nerzoo")
        with pytest.raises(ConfigurationError, match="en: found no model of the zoo"):
            nlp(TEXT)
        assert nlp.pipe_labels == {"nerzoo": []}
        with pytest.raises(ConfigurationError, match="missing.tar.gz: found nothing there"):
            pipeline(tmp_path / "missing.tar.gz")

    @pytest.mark.parametrize(
        "options, message",
        [
            ({"annotate": "entities"}, "found the annotate 'entities', expected 'ents', 'spans', 'tag' or 'pos'"),
            ({"batch_tokens": 0}, "batch_tokens must be positive, found 0"),
        ],
    )
    def test_of_options(self, options, message):
        with pytest.raises(ConfigurationError, match=message):
            NerzooComponent("nerzoo", **options)

    @pytest.mark.parametrize(
        "job, annotate, message",
        [
            ("ner", "tag", "found annotate: 'tag' with a model of entities, expected ents or spans"),
            ("fofe_ner", "pos", "found annotate: 'pos' with a model of entities, expected ents or spans"),
            ("seq2biseq", "ents", "found annotate: 'ents' with a model of tags of words, expected tag or pos"),
            ("fofe_lm", "ents", "found a FofeLm, expected a model that finds entities or tags"),
            ("thread_structure", "ents", "found a ThreadTagger, expected a model that finds entities or tags"),
        ],
    )
    def test_of_a_model_of_something_else(self, archives, job, annotate, message):
        with pytest.raises(ConfigurationError, match=message):
            pipeline(archives(job), annotate=annotate)

    def test_of_a_long_doc_lose_no_other(self, archives, monkeypatch):
        monkeypatch.setattr(json_predictor, "MAX_TOKENS", 6)
        nlp = pipeline(archives("ner"))
        handled = []
        nlp.set_error_handler(lambda name, component, docs, error: handled.append(str(error)))
        assert [doc.text for doc in nlp.pipe(["Mara", "word " * 7, "Jordan"])] == ["Mara", "Jordan"]
        assert len(handled) == 1 and "MAX_TOKENS" in handled[0]


def test_a_model_of_universal_tags_reads_pos(archives, monkeypatch):
    """Whichever of both attributes of tokens the model was trained on."""
    known = Vocabulary.get_token_to_index_vocabulary
    monkeypatch.setattr(
        Vocabulary,
        "get_token_to_index_vocabulary",
        lambda self, namespace="tokens": (
            {"PROPN": 2, "VERB": 3, "ADP": 4, "PUNCT": 5} if namespace == "pos" else known(self, namespace)
        ),
    )
    nlp = pipeline(archives("deptree_ner"))
    doc = Doc(
        nlp.vocab,
        ["Mara", "lived", "."],
        tags=["NNP", "VBD", "."],
        pos=["PROPN", "VERB", "PUNCT"],
        heads=[1, 1, 1],
        deps=["nsubj", "ROOT", "punct"],
    )
    assert "nerzoo" in nlp(doc).spans

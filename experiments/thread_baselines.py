"""
Baselines for threads, without a neural network:

    python -m experiments.thread_baselines SYSTEM CONFIG -s FOLDER [--folds 10] [--seed 13370]
    python -m experiments.thread_baselines SYSTEM CONFIG -s FOLDER --test FILE

CONFIG has the `dataset_reader` and the data of a network, whose folds and threads are also those of a baseline.

- `previous_post`: each post replies to the one before it, and the first one to the head, with the dialogue act that is
  the most frequent one of such links in the training data;
- `crf`: one CRF on features for links, as distances, and one for acts, as Kim et al. (2010) have them;
- `joint_crf`: one CRF for both together, as Wang (2014) has it.

The last two are in the memory paper (Liu et al., 2017, Table 1), with features that it does not list; here they are the
words of a post, its position, its marks, and authors, questions and similar words of the posts before it.

The folds are those of `nerzoo cross-validate` with the same options, for a configuration with a fold for validation,
which a baseline leaves out: it learns from the same threads as a network. FOLDER gets the files of `cross-validate
--predict` that `experiments.records` and `experiments.depth_curves` read: cross_validation.json, predictions.jsonl and
the time of each training. With `--test`, a baseline learns from the training data, and FOLDER gets the files of a run
of `experiments.run_tables` with an evaluation `test`: test.json, test.jsonl, and in train the scores on the validation
data and the time. Posts of a context are read, but not scored.
"""

import json
import math
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, cast

import torch
from allennlp.data import DatasetReader, Instance, Vocabulary
from allennlp.data.fields import MetadataField
from allennlp.data.tokenizers import LettersDigitsTokenizer

from experiments.common import argument_parser
from experiments.records import VALIDATION
from nerzoo.archives import reader_configuration
from nerzoo.data.dataset_readers.reply_threads import ReplyThreadsReader
from nerzoo.data.fields import LinkField
from nerzoo.errors import extra
from nerzoo.files import write_json, write_text
from nerzoo.formats.threads import Thread
from nerzoo.runs.cross_validation import PREDICTIONS_NAME, summarize
from nerzoo.runs.folds import divide, parts
from nerzoo.training.metrics.thread_scores import ThreadScores

SlotsAndActs = List[Tuple[int, str]]
"""The slot and the act of each post of a thread that is not in its context."""

_NUM_EARLIER = 5


class LinkedThread(NamedTuple):
    """A thread, its links and the name of its document, as `ReplyThreadsReader` has them."""

    thread: Thread
    links: LinkField
    document: str

    @property
    def num_context(self) -> int:
        """The number of posts of the context."""
        return sum(post.is_context for post in self.thread.posts)

    @property
    def gold(self) -> SlotsAndActs:
        """The link that systems are trained on, the most recent one, of each post after the context."""
        return [links[0] for links in self.links.links[self.num_context :]]


System = Callable[[List[LinkedThread], List[LinkedThread]], List[SlotsAndActs]]
"""Learns from the first threads, and finds links and acts of the others."""


def previous_post(train: List[LinkedThread], test: List[LinkedThread]) -> List[SlotsAndActs]:
    """Links each post to the one before it."""
    counts = {is_head: Counter[str]() for is_head in (True, False)}
    for each in train:
        for links in each.links.links:
            for slot, act in links:
                counts[slot == 0][act] += 1
    # A file of threads of one post has heads alone.
    acts = {is_head: (counts[is_head] or counts[True]).most_common(1)[0][0] for is_head in counts}
    return [[(slot, acts[slot == 0]) for slot in range(each.num_context, len(each.links))] for each in test]


def crf(train: List[LinkedThread], test: List[LinkedThread]) -> List[SlotsAndActs]:
    """Finds distances and acts by a CRF each."""
    features = [_features(each) for each in test]
    distances, acts = (
        _trained(train, label).predict(features) for label in (lambda link: link[0], lambda link: link[1])
    )
    return [to_slots(each, list(zip(*found, strict=True))) for each, *found in zip(test, distances, acts, strict=True)]


def joint_crf(train: List[LinkedThread], test: List[LinkedThread]) -> List[SlotsAndActs]:
    """Finds distances and acts by one CRF."""
    found = _trained(train, " ".join).predict(list(map(_features, test)))
    return [
        to_slots(each, [cast(Tuple[str, str], tuple(label.split(" ", 1))) for label in labels])
        for each, labels in zip(test, found, strict=True)
    ]


SYSTEMS: Dict[str, System] = {"previous_post": previous_post, "crf": crf, "joint_crf": joint_crf}


def _trained(train: List[LinkedThread], label: Callable[[Tuple[str, str]], str]) -> Any:
    """Returns a CRF for a label of the distance and the act of a post."""
    with extra("bench", ", which trains a CRF on features of posts"):
        import sklearn_crfsuite
    labels = [
        [
            label(("head" if slot <= 0 else str(position - slot), act))
            for position, (slot, act) in enumerate(each.gold, each.num_context + 1)
        ]
        for each in train
    ]
    return sklearn_crfsuite.CRF(c1=0.1, c2=0.1, max_iterations=50).fit(list(map(_features, train)), labels)


def to_slots(each: LinkedThread, found: Sequence[Tuple[str, str]]) -> SlotsAndActs:
    """Returns slots of distances. One that is too long leads to the first post, or to the head from there."""
    return [
        (0 if distance == "head" else max(position - int(distance), min(position - 1, 1)), act)
        for position, (distance, act) in enumerate(found, each.num_context + 1)
    ]


def _features(each: LinkedThread) -> List[List[str]]:
    """Returns the features of each post after the context."""
    posts = each.thread.posts
    tokenize = LettersDigitsTokenizer().tokenize
    words = [{str(token).lower() for token in tokenize(f"{post.title} {post.text}")} for post in posts]
    return [_post_features(each.thread, words, number) for number in range(each.num_context, len(posts))]


def _post_features(thread: Thread, words: List[Set[str]], number: int) -> List[str]:
    posts, author = thread.posts, thread.posts[number].author
    features = ["bias", f"position {min(number, _NUM_EARLIER)}", *(f"word {word}" for word in words[number])]
    features += ["starts the thread"] * (author == posts[0].author)
    for distance in range(1, min(number, _NUM_EARLIER) + 1):
        earlier = number - distance
        shared = len(words[number] & words[earlier]) / math.sqrt(len(words[number]) * len(words[earlier]) or 1)
        features.append(f"{distance} similar {int(5 * shared)}")
        features += [f"{distance} same author"] * (posts[earlier].author == author)
        features += [f"{distance} named"] * (posts[earlier].author.lower() in words[number])
        features += [f"{distance} question"] * ("?" in words[earlier])
    return features


def score(train: List[LinkedThread], test: List[LinkedThread], found: List[SlotsAndActs]) -> Dict[str, float]:
    """Returns the scores of links and acts by `ThreadScores`, by depth as well. `train` has the acts of the system."""
    vocab = Vocabulary.from_instances([Instance({"links": each.links}) for each in train + test])
    metric = ThreadScores(by_depth=True)
    for each, links in zip(test, found, strict=True):
        each.links.index(vocab)
        gold = {
            name: tensor.unsqueeze(0) for name, tensor in each.links.as_tensor(each.links.get_padding_lengths()).items()
        }
        padded = [(0, links[0][1])] * each.num_context + links
        slots = torch.tensor([[slot for slot, _ in padded]])
        acts = torch.tensor([[vocab.get_token_index(act, "labels") for _, act in padded]])
        metric(slots, acts, gold["slots"], gold["acts"], cast(torch.BoolTensor, gold["acts"][..., 0] >= 0))
    return metric.get_metric()


def read(reader: ReplyThreadsReader, path: str) -> List[LinkedThread]:
    """Reads threads with links, in the format of a dataset reader."""
    return [with_links(reader, thread) for thread in reader.corpus.read(path)]


def with_links(reader: ReplyThreadsReader, thread: Thread) -> LinkedThread:
    """Returns a thread with its links and its document, as a network has them."""
    instance = reader.text_to_instance(thread)
    metadata = cast(MetadataField, instance["metadata"])
    return LinkedThread(thread, cast(LinkField, instance["links"]), metadata["document_id"])


def prediction(each: LinkedThread, found: SlotsAndActs) -> Dict[str, Any]:
    """Returns links and acts as `allennlp predict` gives them, without the context and without probabilities."""
    ids = [None, *(post.id for post in each.thread.posts)]
    posts = zip(each.thread.posts[each.num_context :], found, strict=True)
    return {
        "id": each.thread.id,
        "posts": [
            {"id": post.id, "act": act, "link": ids[slot], "gold_links": [link._asdict() for link in post.links or []]}
            for post, (slot, act) in posts
        ],
    }


def links(system: System, train: List[LinkedThread], test: List[LinkedThread], output: Path) -> List[SlotsAndActs]:
    """Learns from threads and finds the links of others. Writes the time as that of a training of one epoch."""
    start = time.perf_counter()
    found = system(train, test)
    duration = timedelta(seconds=time.perf_counter() - start)
    output.mkdir(parents=True, exist_ok=True)
    write_json(output / "metrics_epoch_0.json", {"training_duration": str(duration)})
    return found


def cross_validate(system: System, threads: List[LinkedThread], num_folds: int, seed: int, output: Path) -> None:
    """
    Learns from all folds but two, and finds the links of one of these, for each fold, as a network that has the other
    one for validation. Writes the scores, the predictions in the order of the threads, and the times into a folder.
    Raises `ConfigurationError` where there are fewer documents than folds.
    """
    folds = divide(list(dict.fromkeys(each.document for each in threads)), num_folds, seed)
    scores, predictions = [], {}
    for test_fold in range(num_folds):
        documents = {part: {*ids} for part, ids in parts(folds, test_fold, validation=True).items()}
        train, test = (
            {place: each for place, each in enumerate(threads) if each.document in documents[part]}
            for part in ("train", "test")
        )
        found = links(system, [*train.values()], [*test.values()], output / f"fold-{test_fold}")
        scores.append(score([*train.values()], [*test.values()], found))
        for (place, each), slots in zip(test.items(), found, strict=True):
            predictions[place] = json.dumps(prediction(each, slots)) + "\n"
    write_text(output / PREDICTIONS_NAME, "".join(predictions[place] for place in sorted(predictions)))
    write_json(output / "cross_validation.json", {"metrics": summarize(scores)})


def evaluate(
    system: System, train: List[LinkedThread], dev: List[LinkedThread], test: List[LinkedThread], output: Path
) -> None:
    """Learns from the training data, and writes the scores on validation and test data, and the links of the latter."""
    found = links(system, train, dev + test, output / "train")
    scores = score(train, dev, found[: len(dev)])
    write_json(output / "train" / "metrics.json", {VALIDATION + name: value for name, value in scores.items()})
    write_json(output / "test.json", score(train, test, found[len(dev) :]))
    lines = [json.dumps(prediction(*pair)) + "\n" for pair in zip(test, found[len(dev) :], strict=True)]
    write_text(output / "test.jsonl", "".join(lines))


def main(args: Optional[Sequence[str]] = None) -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("system", choices=list(SYSTEMS))
    parser.add_argument("config", help="a configuration whose dataset reader reads threads")
    parser.add_argument("-s", "--serialization-dir", type=Path, required=True, help="a folder for the results")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=13370)
    parser.add_argument("--test", help="threads to score, in place of folds")
    arguments = parser.parse_args(args)
    system = SYSTEMS[arguments.system]
    config = reader_configuration(arguments.config)
    reader = cast(ReplyThreadsReader, DatasetReader.from_params(config["dataset_reader"]))
    train, output = read(reader, config["train_data_path"]), arguments.serialization_dir
    if arguments.test:
        dev, test = (read(reader, path) for path in (config["validation_data_path"], arguments.test))
        evaluate(system, train, dev, test, output)
    else:
        cross_validate(system, train, arguments.folds, arguments.seed, output)


if __name__ == "__main__":
    main()

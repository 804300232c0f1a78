"""The choice of a configuration and of its options for a corpus."""

from typing import Any, Dict, Mapping, NamedTuple, Tuple

from allennlp.common.checks import ConfigurationError

from nerzoo.configuration.sources import Choice, external_variables, find_configuration, options

GOALS = ("accuracy", "speed")
# From this share of entities inside others on, FOFE-NER is ahead of a tagger of the outermost entities: the tagger is
# ahead on GENIA, which has 9.6 %, and FOFE-NER on GUM, which has 38.8 % (docs/results/fofe_nested.md).
_NESTED = 0.15
# The share of entities that FOFE-NER may leave out for their length, and again for their depth.
_LEFT_OUT = 0.02


class Fit(NamedTuple):
    """The name of the configuration that fits a corpus, the reason for it, and the options that it needs."""

    configuration: str
    reason: str
    options: Dict[str, Choice]


def fit(facts: Mapping[str, Any], corpus: Mapping[str, Any], goal: str) -> Fit:
    """
    Returns the configuration for a corpus in a format, an object with a type, by the facts about its training and
    development parts, as `nerzoo.reports.description.describe` returns them. `goal` is one of `GOALS`. Raises
    `ConfigurationError` where the training data has nothing to learn.
    """
    parts, costs = facts["parts"], facts["costs"]
    train = parts[0]
    chosen = {"corpus": Choice(corpus, "The format of the files.")}
    if not train["entities"]:
        return _fit_tags(train, chosen)
    inner = costs["max_depth"].get("1", 0)
    nesting = f"{100 * inner:.1f} % of the entities are inside others" if inner else "no entity is inside another"
    if inner > _NESTED:
        return _fit_spans(train, costs, goal, nesting, chosen)
    if all(part["trees"] == part["sentences"] and part["pos"] and part["dep_labels"] for part in parts):
        if goal == "accuracy":
            return _fit_trees(train, nesting, chosen)
        nesting += ", and trees take time"
    chosen["epochs"] = _epochs(train, 6_000_000, 10, 50)
    if goal == "speed":
        chosen["hidden_size"] = Choice(100, "Half of the usual size, for speed.")
        chosen["epochs"] = _epochs(train, 3_000_000, 5, 25)
    return Fit("bench/ner", f"{nesting}: a tagger by words and characters", chosen)


def fit_threads(corpus: Mapping[str, Any], has_vectors: bool) -> Fit:
    """Returns the configuration for threads in a format. `has_vectors` is true if there is a file of word vectors."""
    name = f"thread_structure/molweni/exclude_self{'_vectors' if has_vectors else ''}"
    reason = "threads: a tagger of their reply links and dialogue acts, with a memory of the posts"
    return Fit(name, reason, {"corpus": Choice(corpus, "The format of the files.")})


def _epochs(train: Mapping[str, Any], words: int, least: int, most: int) -> Choice:
    epochs = min(max(round(words / train["words"]), least), most)
    return Choice(epochs, f"For {train['words']:,} words: from {least} to {most}, fewer for more words.")


def _fit_tags(train: Mapping[str, Any], chosen: Dict[str, Choice]) -> Fit:
    task, what = ("tags", "tags") if train["tags"] else ("pos", "parts of speech")
    if not train[task]:
        raise ConfigurationError("found training data without entities, tags and parts of speech, expected one of them")
    chosen["task"] = Choice(task, f"Words have {len(train[task])} {what}.")
    chosen["epochs"] = _epochs(train, 2_500_000, 10, 40)
    return Fit(
        "bench/char_attention", f"no entities, but {what}: a tagger by attention to words and characters", chosen
    )


def _fit_trees(train: Mapping[str, Any], nesting: str, chosen: Dict[str, Choice]) -> Fit:
    reason = "With these features, trees and attentions gain nothing on UNER-EWT: docs/results/deptree_ner.md."
    chosen |= {name: Choice(False, reason) for name in ("residual", "relative", "global")}
    chosen["syntactic_layers"] = Choice(0, reason)
    chosen["epochs"] = _epochs(train, 4_000_000, 10, 30)
    if chosen["corpus"].value["type"] == "conllu":
        parser = {"treebank": "train_data_path"}
        chosen["parser"] = Choice(parser, "Trained on the training data, so that the model takes raw text.")
    reason = f"{nesting}, and each sentence has a tree: a tagger that reads its parts of speech and labels of arcs, too"
    return Fit("bench/deptree_ner", reason, chosen)


def _fit_spans(
    train: Mapping[str, Any], costs: Mapping[str, Any], goal: str, nesting: str, chosen: Dict[str, Choice]
) -> Fit:
    name = "bench/fofe_ner_nested"
    length, too_long = _limit(costs["max_length"])
    path = find_configuration(name)
    levels = next(option.value for option in options(path, external_variables(path)) if option.name == "levels")
    depth = min(_limit(costs["max_depth"])[0], len(levels))
    chosen["max_length"] = Choice(length, f"{100 * too_long:.1f} % of the entities are longer, and not found.")
    chosen["levels"] = Choice(
        levels[:depth], f"A level a depth of nesting: {100 * costs['max_depth'][str(depth)]:.1f} % are deeper."
    )
    chosen["epochs"] = _epochs(train, 2_500_000, 10, 30)
    if goal == "speed":
        chosen["hidden_size"] = Choice(256, "Half of the usual size, for speed.")
    return Fit(name, f"{nesting}: FOFE-NER, which finds all of them", chosen)


def _limit(costs: Mapping[str, float]) -> Tuple[int, float]:
    """Returns the lowest limit that leaves out few entities, and their share."""
    return next((int(limit), share) for limit, share in costs.items() if share <= _LEFT_OUT)

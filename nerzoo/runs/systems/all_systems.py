"""The systems that a bench trains side by side, by name."""

from pathlib import Path
from typing import Dict, Optional

from nerzoo.runs.budget import CorpusFacts
from nerzoo.runs.systems.bench_system import BenchSystem
from nerzoo.runs.systems.configured import Configured, CrfTagger
from nerzoo.runs.systems.feature_crf import FeatureCrf
from nerzoo.runs.systems.spacy_ner import SpacyNer


def all_systems(configs: Path) -> Dict[str, BenchSystem]:
    """Returns all systems, nerzoo's first, of which `configs` is the folder of configurations."""
    systems = [
        Configured("ner", configs),
        Configured("char_attention", configs),
        Configured("deptree_ner", configs, _without_trees),
        Configured("memory_ner", configs, _without_documents),
        Configured("seq2biseq", configs),
        Configured("fofe_ner", configs, _with_nested, looks_at_spans=True),
        Configured("fofe_ner_nested", configs, _without_nested, finds_nested=True, looks_at_spans=True),
        CrfTagger("crf_tagger", configs),
        SpacyNer("spacy"),
        FeatureCrf("feature_crf"),
    ]
    return {system.name: system for system in systems}


def _without_trees(facts: CorpusFacts) -> Optional[str]:
    return None if facts.has_trees else "the data has no dependency trees with parts of speech, and --parser names none"


def _without_documents(facts: CorpusFacts) -> Optional[str]:
    return None if facts.num_documents > 1 else "the data does not separate documents"


def _with_nested(facts: CorpusFacts) -> Optional[str]:
    return None if facts.depth < 2 else "entities are nested, which fofe_ner_nested is for"


def _without_nested(facts: CorpusFacts) -> Optional[str]:
    return None if facts.depth > 1 else "no entity is in another one, which fofe_ner is for"

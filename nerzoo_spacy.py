"""
The factory of the spaCy component `nerzoo`. spaCy imports it, by its entry point, whenever a process first makes a
pipeline, whether or not it has this component: the package itself is imported when the component is made.
"""

from typing import Any, Dict, Optional

from spacy.language import Language

DEFAULTS: Dict[str, Any] = {
    "model": None,
    "annotate": "ents",
    "spans_key": "nerzoo",
    "overwrite_entities": False,
    "batch_tokens": 4096,
    "allow_unknown_labels": False,
    "device": None,
}


@Language.factory(
    "nerzoo",
    assigns=["doc.ents", "doc.spans", "token.ent_type", "token.ent_iob", "token.tag", "token.pos"],
    default_config=DEFAULTS,
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0},
)
def make_component(
    nlp: Language,
    name: str,
    model: Optional[str],
    annotate: str,
    spans_key: str,
    overwrite_entities: bool,
    batch_tokens: int,
    allow_unknown_labels: bool,
    device: Optional[str],
) -> Any:
    """Makes a `nerzoo.inference.spacy_component.NerzooComponent`, whose options these are."""
    from nerzoo.inference.spacy_component import NerzooComponent

    return NerzooComponent(
        name, model, annotate, spans_key, overwrite_entities, batch_tokens, allow_unknown_labels, device
    )

"""
The factory of the spaCy component `nerzoo`. spaCy imports it, by its entry point, whenever a process first makes a
pipeline, with or without this component: nerzoo itself is imported only when the component is made.
"""

from typing import Any, Optional

from spacy.language import Language


@Language.factory(
    "nerzoo",
    assigns=["doc.ents", "doc.spans", "token.ent_type", "token.ent_iob", "token.tag", "token.pos"],
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0},
)
def make_component(
    nlp: Language,
    name: str,
    model: Optional[str] = None,
    annotate: str = "ents",
    spans_key: str = "nerzoo",
    overwrite_entities: bool = False,
    batch_tokens: int = 4096,
    allow_unknown_labels: bool = False,
    device: Optional[str] = None,
) -> Any:
    """Makes a `nerzoo.zoo.spacy_component.NerzooComponent` with these options, and loads its model."""
    from nerzoo.zoo.spacy_component import NerzooComponent

    component = NerzooComponent(
        name, model, annotate, spans_key, overwrite_entities, batch_tokens, allow_unknown_labels, device
    )
    # A saved pipeline, which has its own copy of the model and may be where the original is not, comes with the names
    # of its components. `nlp.meta` would replace them by those that are there already.
    if name not in getattr(nlp, "_meta", {}).get("components", ()):
        component.load()
    return component

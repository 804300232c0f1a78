from nerzoo.publishing.about import predicted_labels, versions
from nerzoo.publishing.data_facts import DataFacts, data_facts
from nerzoo.publishing.model_card import ModelFacts, model_card
from nerzoo.publishing.publish import needed_files, publish

__all__ = [
    "DataFacts",
    "ModelFacts",
    "data_facts",
    "model_card",
    "needed_files",
    "predicted_labels",
    "publish",
    "versions",
]

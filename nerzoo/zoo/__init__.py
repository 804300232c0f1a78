"""The zoo: trained models by their names, without PyTorch and AllenNLP where a model is exported."""

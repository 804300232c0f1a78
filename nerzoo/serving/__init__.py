"""A server for archives: `allennlp serve`."""

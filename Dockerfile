# Serves an archive on CPUs:
#
#     docker build -t nerzoo .
#     docker run --rm -p 127.0.0.1:8000:8000 -v "$PWD/output/ner:/model:ro" nerzoo /model/model.tar.gz
#
# It has the dependencies of the extras `serve` and `train` in the versions of requirements.txt, with PyTorch's build for CPUs.
FROM python:3.11-slim

RUN pip install --no-cache-dir uv
WORKDIR /nerzoo
COPY pyproject.toml setup.cfg requirements.txt README.md LICENSE nerzoo_spacy.py nerzoo_torch.py ./
COPY nerzoo nerzoo
# PyTorch's index may not give upload dates; the date in pyproject.toml would then exclude its files.
RUN uv pip install --system --no-cache --constraints requirements.txt --torch-backend cpu \
    --exclude-newer-package torch=false --exclude-newer-package torchvision=false '.[serve,train]' allennlp==2.10.1 allennlp-models==2.10.1

# AllenNLP looks for NLTK data that nerzoo does not need, and downloads it if it finds no folder.
ENV NLTK_DATA=/nltk_data ALLENNLP_LOG_LEVEL=WARNING
RUN mkdir -p /nltk_data/tokenizers/punkt && useradd --create-home nerzoo
USER nerzoo
WORKDIR /home/nerzoo

EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=3)"]
ENTRYPOINT ["nerzoo", "serve", "--host", "0.0.0.0"]

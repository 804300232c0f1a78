"""
The `serve` subcommand answers requests over HTTP with the predictions of an archive:

    allennlp serve model.tar.gz
    curl -H 'Content-Type: application/json' -d '{"sentence": "Mara lived in Calder."}' localhost:8000/predict
"""

import argparse
from pathlib import Path

from allennlp.commands.subcommand import Subcommand

from nerzoo.allennlp_private import SubParsers
from nerzoo.commands.arguments import positive
from nerzoo.deploy.server.limits import Limits
from nerzoo.deploy.server.server import ServerOptions, read_token, serve

_DEFAULTS = Limits()


@Subcommand.register("serve")
class Serve(Subcommand):
    """Serves an archive over HTTP, with a page on which texts are tried."""

    def add_subparser(self, parser: SubParsers) -> argparse.ArgumentParser:
        description = (
            "Answer requests over HTTP with predictions: POST /predict takes what `allennlp predict` takes, and / is a "
            "page on which texts are tried. Requests are predicted together. SIGTERM ends it when all are answered."
        )
        subparser = parser.add_parser(self.name, description=description, help="Serve a model over HTTP.")
        subparser.add_argument("archive_file", type=str, help="archive, folder, URL or hf://owner/name@revision")
        subparser.add_argument("--host", type=str, default="127.0.0.1", help="address to listen at; 0.0.0.0 for all")
        subparser.add_argument("--port", type=int, default=8000, help="0: one that is free")
        subparser.add_argument("--token-file", type=Path, help="file with the token that clients must send")
        subparser.add_argument("--tls-certificate", type=Path, metavar="PEM", help="for HTTPS")
        subparser.add_argument("--tls-key", type=Path, metavar="PEM", help="for HTTPS")
        subparser.add_argument("--workers", type=positive, default=1, help="processes, each with the model")
        subparser.add_argument("--max-body", type=positive, default=_DEFAULTS.body, help="bytes of a request")
        subparser.add_argument("--max-items", type=positive, default=_DEFAULTS.items, help="items of a request")
        subparser.add_argument("--max-tokens", type=positive, default=_DEFAULTS.tokens, help="tokens of a request")
        subparser.add_argument(
            "--max-requests", type=positive, default=_DEFAULTS.requests, help="requests of a worker at a time"
        )
        subparser.add_argument("--timeout", type=_seconds, default=_DEFAULTS.seconds, help="seconds for an answer")
        subparser.add_argument(
            "--batch-tokens", type=positive, default=_DEFAULTS.batch_tokens, help="tokens predicted at a time"
        )
        subparser.add_argument(
            "--batch-wait", type=_seconds, default=_DEFAULTS.wait, help="seconds that an item waits for others"
        )
        subparser.add_argument("--cuda-device", type=int, default=-1, help="number of the GPU to use, if any")
        subparser.add_argument("-o", "--overrides", type=str, default="", help="changes of the configuration, as JSON")
        subparser.set_defaults(func=_serve_from_args)
        return subparser


def _serve_from_args(args: argparse.Namespace) -> None:
    limits = Limits(
        args.max_body,
        args.max_items,
        args.max_tokens,
        args.max_requests,
        args.timeout,
        args.batch_tokens,
        args.batch_wait,
    )
    serve(
        ServerOptions(
            args.archive_file,
            args.cuda_device,
            args.overrides,
            limits,
            args.host,
            args.port,
            args.workers,
            None if args.token_file is None else read_token(args.token_file),
            args.tls_certificate,
            args.tls_key,
        )
    )


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"found {text}, expected a number above 0")
    return number

"""
The `serve` subcommand:

    nerzoo serve model.tar.gz
    curl -H 'Content-Type: application/json' -d '{"text": "Mara lived in Calder."}' localhost:8000/predict
"""

import argparse
from pathlib import Path

from allennlp.commands.subcommand import Subcommand

from nerzoo.commands.arguments import Command, positive
from nerzoo.deploy.server.requests import Limits
from nerzoo.deploy.server.server import ServerOptions, read_token, serve
from nerzoo.zoo.command import MODEL, add_engine_argument

_DEFAULTS = Limits()


@Subcommand.register("serve")
class Serve(Command):
    """
    Answers requests over HTTP with predictions: POST /predict takes the input of `nerzoo predict`, and / is a page
    for trying texts. Requests are predicted in batches. SIGTERM ends the server after it has answered all requests.
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("archive_file", help=MODEL)
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0: all")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0: a free one")
        parser.add_argument("--token-file", type=Path, help="file with the token that clients must send")
        parser.add_argument("--tls-certificate", type=Path, metavar="PEM", help="certificates for HTTPS")
        parser.add_argument("--tls-key", type=Path, metavar="PEM", help="private key for HTTPS")
        parser.add_argument("--workers", type=positive, default=1, help="number of processes, each with the model")
        for option, kind, default, description in (
            ("--max-body", positive, _DEFAULTS.body, "largest size of a request in bytes"),
            ("--max-items", positive, _DEFAULTS.items, "largest number of items in a request"),
            ("--max-tokens", positive, _DEFAULTS.tokens, "largest number of tokens in a request"),
            ("--max-requests", positive, _DEFAULTS.requests, "largest number of simultaneous requests to a worker"),
            ("--timeout", _seconds, _DEFAULTS.seconds, "longest time for an answer in seconds"),
            ("--batch-tokens", positive, _DEFAULTS.batch_tokens, "number of tokens in a batch"),
            ("--batch-wait", _seconds, _DEFAULTS.wait, "longest time that an item waits for others in seconds"),
        ):
            parser.add_argument(option, type=kind, default=default, help=description)
        parser.add_argument("--cuda-device", type=int, default=-1, help="number of the GPU to use; -1: the CPU")
        add_engine_argument(parser)
        parser.add_argument("-o", "--overrides", default="", help="changes of the configuration, as JSON")

    def run(self, args: argparse.Namespace) -> None:
        sizes = (args.max_body, args.max_items, args.max_tokens, args.max_requests)
        limits = Limits(*sizes, args.timeout, args.batch_tokens, args.batch_wait)
        token = None if args.token_file is None else read_token(args.token_file)
        addresses = {"host": args.host, "port": args.port, "certificate": args.tls_certificate, "key": args.tls_key}
        model = (args.archive_file, args.cuda_device, args.overrides, args.engine)
        serve(ServerOptions(*model, limits, workers=args.workers, token=token, **addresses))


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"found {text}, expected a number above 0")
    return number

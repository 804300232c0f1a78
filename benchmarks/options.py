"""What the benchmarks' command lines share."""

import argparse


def read_options(description: str, repeats: int) -> argparse.Namespace:
    """`device`, by default the CPU, and `repeats`, how many rounds."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--repeats", type=int, default=repeats)
    return parser.parse_args()

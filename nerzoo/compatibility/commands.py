"""What commands are added to."""

import argparse

# commands/subcommand.py, Subcommand.add_subparser: the type of its argument.
SubParsers = argparse._SubParsersAction

import shlex
from typing import Any, Dict

from nerzoo.reporting.section import Section
from nerzoo.reporting.table import Column, Table


def origin_section(report: Dict[str, Any], command: str) -> Section:
    """Shows what it takes to get the same figures again."""
    facts = {**report["machine"], "threads of a training": str(report["settings"]["num_threads"])}
    facts["trainings at a time"] = str(report["jobs"])
    tables = [
        Table("Machine", [Column("what"), Column("is")], [[name, value] for name, value in facts.items()]),
        Table("Versions", [Column("package"), Column("version")], [[*pair] for pair in report["versions"].items()]),
        Table("Files", [Column("file"), Column("SHA-256")], [[*pair] for pair in report["sha256"].items()]),
        Table(
            "Runs",
            [Column("run"), Column("epochs", "count"), Column("best epoch", "count"), Column("SHA-256 of predictions")],
            [
                [run["name"], run["epochs"], run["best_epoch"], run["predictions_sha256"]]
                for system in report["systems"]
                for run in system["runs"]
            ],
            "Done again, and compared, by "
            f"{shlex.join(['allennlp', 'bench', '--verify', report['folder'], '--rows', 'RUN'])}, in the same place.",
        ),
    ]
    return Section("origin", "Where the figures come from", [f"The command: {command}"], tables)

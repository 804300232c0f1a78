from nerzoo.bench.bench import Bench
from nerzoo.bench.bench_files import write_bench_report
from nerzoo.bench.settings import Settings
from nerzoo.bench.verification import verify

__all__ = ["Bench", "Settings", "verify", "write_bench_report"]

import os

SETTINGS = {
    # Otherwise each thread has a heap of its own, and what one of them allocates and another one frees leaves holes.
    "MALLOC_ARENA_MAX": "1",
    # Kernels that oneDNN keeps, of 1024 shapes by default. Hardly any two batches of requests have the same, and what
    # is kept for long lies among what is not, so that holes are left, too.
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "128",
}
"""What the GNU C library and PyTorch's oneDNN read when a process starts, so that its memory stays as it is."""


def keep_memory_flat() -> None:
    """Keeps the memory of the processes that this one starts from growing with what they do. What is set stays."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)

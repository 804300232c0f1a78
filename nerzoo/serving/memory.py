import os

SETTINGS = {
    # Otherwise each thread has a heap of its own, and what one of them allocates and another one frees leaves holes.
    "MALLOC_ARENA_MAX": "1",
    # Bytes from which on a block goes back to the system when it is freed. It would rise with the largest tensor, and
    # heaps would have tensors of all sizes among what stays.
    "MALLOC_MMAP_THRESHOLD_": str(2**18),
    # Kernels that oneDNN keeps, of 1024 shapes by default; hardly any two batches of requests have the same.
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "32",
}
"""What the GNU C library and PyTorch's oneDNN read when a process starts, so that its memory stays as it is."""


def keep_memory_flat() -> None:
    """Keeps the memory of the processes that this one starts from growing with what they do. What is set stays."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)

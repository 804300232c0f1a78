def in_short(error: BaseException) -> str:
    """Returns the first three lines of an error's message in one, of at most 500 characters, or else its type."""
    said = " ".join(line.strip() for line in str(error).strip().splitlines()[:3]) or type(error).__name__
    return said[:500]

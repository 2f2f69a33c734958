"""Numbers as sim-run's --set takes them: whole, with k, M or G, or real."""

LETTERS = {"k": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def number(value):
    """That of a value of a setting, None: it is none, as a name."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return value
    text, factor = value, 1
    if text and text[-1] in LETTERS:
        text, factor = text[:-1], LETTERS[text[-1]]
    try:
        return int(text) * factor
    except ValueError:
        pass
    try:
        return float(text) * factor
    except ValueError:
        return None


def text(value):
    """A value as --set takes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)

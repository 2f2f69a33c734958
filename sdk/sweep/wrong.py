"""Exit statuses, and errors that end corbel-sweep with one of them."""

STATUSES = {
    0: "done; points that had been done before were left as they are",
    1: "a point has failed: its folder has its log; `--again` runs it again",
    2: "usage: the command line, or a file of a sweep that says what it may "
       "not",
    3: "host failure: a file or folder cannot be read or written, or sim-run "
       "not started",
    4: "another process is running a point; it was left alone",
    75: "start me again: a signal came, and what was running is saved",
}
FAILED, USAGE, HOST, BUSY, AGAIN = 1, 2, 3, 4, 75


class Wrong(Exception):
    """One line for the user, and the status to end with."""

    def __init__(self, text, status=USAGE):
        super().__init__(text)
        self.status = status


def host_failure(error, path=None):
    """The Wrong of an OSError."""
    name = path or error.filename or "a file"
    return Wrong(f"{name}: {error.strerror or error}", HOST)

"""Exit statuses, and errors that end corbel-sweep with one of them."""

STATUSES = {  # a line each, as docs/tables.awk reads them
    0: "all that was asked for is done, or was done before",
    1: "a point has failed; its folder has its log, --again runs it again",
    2: "usage: the command line, or what a sweep's file says",
    3: "host failure: a file cannot be read or written, sim-run was killed",
    4: "another process is running a point, which was left alone",
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

"""sim-run: where it is, what it says of itself and of chips."""
import os
import shutil
import subprocess
import sys

from .wrong import HOST, Wrong


def find(named):
    """The one that is named, that beside this command, or that of PATH."""
    beside = os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])),
                          "sim-run")
    if named:
        path = shutil.which(named)
    else:
        path = beside if os.access(beside, os.X_OK) else \
            shutil.which("sim-run")
    if not path:
        raise Wrong(f"{named or 'sim-run'}: no such program: `sim` in the "
                    "sweep's file, or --sim, names one", HOST)
    return os.path.abspath(path)


def asked(sim, *words):
    try:
        done = subprocess.run([sim, *words], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True,
                              errors="replace", check=False)
    except OSError as error:
        raise Wrong(f"{sim}: {error.strerror}", HOST) from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [
            f"status {done.returncode}"]
        raise Wrong(said[-1])
    return done.stdout


def version(sim):
    return asked(sim, "--version").strip().splitlines()[0]


def chip_words(arch, settings):
    return ["-a", arch, *(word for s in settings for word in ("-s", s))]


def description(sim, arch, settings):
    """What sim-run says of a chip, but where its file is."""
    text = asked(sim, *chip_words(arch, settings), "--describe")
    return text.split(": ", 1)[-1]

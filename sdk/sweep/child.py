"""
A run of sim-run that ends with this process, however that ends, and is saved
when a signal comes. Signals are waited for, not handled, so that nothing
happens between two steps.
"""
import ctypes
import os
import signal
import subprocess
import time

from .wrong import host_failure

ENDING = {signal.SIGTERM, signal.SIGUSR1, signal.SIGINT, signal.SIGHUP}
WAITED = ENDING | {signal.SIGCHLD}
SAVING = 100  # seconds that sim-run has for it
PR_SET_PDEATHSIG = 1


class Signals:
    """While it lasts, signals that end wait until they are asked for."""

    def __enter__(self):
        self.before = signal.pthread_sigmask(signal.SIG_BLOCK, WAITED)
        # Of a signal that is ignored no one learns.
        self.old = signal.signal(signal.SIGCHLD, lambda *_: None)
        self.came = False
        return self

    def __exit__(self, *_):
        signal.signal(signal.SIGCHLD, self.old)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.before)

    def wait(self, seconds):
        """For a child's end or a signal that ends, at most so long."""
        got = signal.sigtimedwait(WAITED, seconds)
        if got and got.si_signo in ENDING:
            self.came = True
        return got

    def asked(self):
        """Has a signal that ends come by now?"""
        while signal.sigpending() & ENDING:
            self.wait(0)
        return self.came


def start(command, folder, said, log):
    """The process; what it says is appended to these files."""
    parent = os.getpid()
    libc = ctypes.CDLL(None)

    def prepare():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WAITED)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    try:
        with open(said, "ab") as out, open(log, "ab") as err:
            return subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                stderr=err, preexec_fn=prepare, start_new_session=True)
    except OSError as error:
        raise host_failure(error, command[0]) from None


def stamp(path):
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_ino, about.st_mtime_ns, about.st_size


def save(process, checkpoint, signals):
    """
    Has sim-run write its checkpoint, and ends it; without one it is ended at
    once. A second signal waits no longer. True: it had ended before.
    """
    until = time.monotonic() + SAVING
    signals.came = False
    if checkpoint:
        before = stamp(checkpoint)
        process.send_signal(signal.SIGUSR1)
        while process.poll() is None and stamp(checkpoint) == before and \
                not signals.came and time.monotonic() < until:
            signals.wait(0.05)
    signals.came = True
    if process.poll() is not None:
        # By the signal, before sim-run knew of it: it has not begun.
        return process.returncode != -signal.SIGUSR1
    process.kill()
    process.wait()
    return False


def watch(process, checkpoint, claim, signals):
    """
    Waits for the end. False: a signal came before, and it was ended.
    checkpoint: where it saves itself then, None: nowhere.
    """
    while process.poll() is None:
        if signals.came:
            return save(process, checkpoint, signals)
        signals.wait(5)
        if not claim.touch():
            process.kill()
            process.wait()
            return False
    return True

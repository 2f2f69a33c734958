"""What all benchmarks of the host's speed need: this machine, in words; a
program's run with its time and memory; results written whole."""
import json
import os
import platform
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass

from chip import Wrong


def first_line(*command):
    try:
        text = subprocess.run(command, capture_output=True, text=True,
                              check=False).stdout
    except OSError:
        return "none"
    return text.splitlines()[0] if text else "unknown"


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown"


def describe(simulator):
    return {
        "cpu": cpu_model(),
        "processors": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "host_compiler": first_line("gcc", "--version"),
        "target_compiler": first_line("riscv64-unknown-elf-gcc", "--version"),
        "simulator": first_line(simulator, "--version"),
        "load_at_start": os.getloadavg()[0],
    }


def in_words(about):
    return (f"{about['cpu']}, {about['processors']} processors, "
            f"{about['system']}, {about['host_compiler']}, "
            f"load {about['load_at_start']:.1f}")


def spread(values):
    return {"median": statistics.median(values), "min": min(values),
            "max": max(values)}


def write_json(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)


@dataclass
class Done:
    """A program that ran."""
    out: str
    err: str
    wall: float  # seconds
    cpu: float   # seconds, user and system
    peak: int    # bytes; at least this process's own at the time of the start


def measure(command, statuses=(0,)):
    """Runs it alone; Wrong if it ends with another status."""
    command = [str(word) for word in command]
    with tempfile.TemporaryFile("w+") as out, \
            tempfile.TemporaryFile("w+") as err:
        start = time.monotonic()
        # pylint: disable-next=consider-using-with
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err)
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        done = Done(out.read(), err.read(), wall,
                    used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
    if process.returncode not in statuses:
        said = [line for line in done.err.splitlines()
                if not line.startswith("results hash")] or ["no message"]
        raise Wrong(f"{' '.join(command)}: status {process.returncode}: "
                    f"{said[-1]}")
    return done

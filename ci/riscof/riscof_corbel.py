"""RISCOF plug-in: architectural tests on sim-run, as the device under test.

RISCOF asks for three steps in this order: initialise() learns where the tests'
headers are, build() reads the checked ISA description, runTests() leaves
DUT-corbel.signature in every test's folder. Keys of config.ini: README.md.
"""

import concurrent.futures
import logging
import os
import shlex
import shutil
import subprocess

from riscof import utils
from riscof.pluginTemplate import pluginTemplate

logger = logging.getLogger()

# Extensions of several letters that sim-run knows; a test may name others in
# its ISA string (Zmmul as a part of M), which the compiler alone needs.
KNOWN = ("zicntr", "zicsr", "zifencei", "zba", "zbb")
LETTERS = "imafdc"


def isa_string(isa):
    """An ISA string of riscv-config (RV32IMCZicsr_Zba) as sim-run reads it."""
    text = isa.lower()
    base = text[:4]
    letters, *rest = text[4:].split("_")
    if "z" in letters:
        letters, first = letters.split("z", 1)
        rest.insert(0, "z" + first)
    several = [name for name in rest if name in KNOWN]
    letters = "".join(letter for letter in letters if letter in LETTERS)
    return "_".join([base + letters] + several)


def signature_align(text):
    """Bytes that a signature's end is aligned to."""
    if text not in ("4", "8", "16", "32", "64"):
        raise SystemExit(f"config.ini: [corbel]: signature_align is {text}: "
                         "expected 4, 8, 16, 32 or 64")
    return int(text)


class corbel(pluginTemplate):
    """sim-run as RISCOF's device under test."""

    __model__ = "corbel"
    __version__ = "1.0"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        config = kwargs.get("config")
        if not config:
            raise SystemExit("config.ini: no section [corbel]: "
                             "expected pluginpath, ispec, pspec")
        missing = [key for key in ("pluginpath", "ispec", "pspec")
                   if key not in config]
        if missing:
            raise SystemExit("config.ini: [corbel]: expected "
                             + ", ".join(missing))
        self.pluginpath = os.path.abspath(config["pluginpath"])
        self.isa_spec = os.path.abspath(config["ispec"])
        self.platform_spec = os.path.abspath(config["pspec"])
        self.jobs = int(config.get("jobs", 1))
        self.target_run = config.get("target_run", "1") != "0"
        self.dut_exe = os.path.join(config.get("PATH", ""), "sim-run")
        self.compiler = config.get("compiler", "riscv64-unknown-elf-gcc")
        # Without timing unless asked for: --arch core, or any other options.
        self.options = shlex.split(config.get("options", "--functional"))
        self.timeout = int(config.get("timeout", 300))
        self.align = signature_align(config.get("signature_align", "4"))

    def initialise(self, suite, work_dir, archtest_env):
        self.suite = suite
        self.work_dir = work_dir
        env = os.path.join(self.pluginpath, "env")
        self.compile_options = [
            "-static", "-mcmodel=medany", "-fvisibility=hidden", "-nostdlib",
            "-nostartfiles", "-Wl,--no-warn-rwx-segments",
            f"-DCORBEL_SIGNATURE_ALIGN={self.align}",
            "-T", os.path.join(env, "link.ld"), "-I", env, "-I", archtest_env]

    def build(self, isa_yaml, platform_yaml):
        hart = utils.load_yaml(isa_yaml)["hart0"]
        self.xlen = max(hart["supported_xlen"])
        self.abi = "lp64" if self.xlen == 64 else "ilp32"
        self.isa = isa_string(hart["ISA"])
        for program in self.compiler, self.dut_exe:
            if not shutil.which(program):
                raise SystemExit(f"{program}: not found: "
                                 "expected in PATH, or where config.ini says")

    def signature(self, test):
        return os.path.join(test["work_dir"], self.name[:-1] + ".signature")

    def commands(self, test):
        """The commands of a test: compile it and, if asked to, run it."""
        elf = os.path.join(test["work_dir"], "corbel.elf")
        compile_it = [self.compiler, f"-march={test['isa'].lower()}",
                      f"-mabi={self.abi}", f"-DXLEN={self.xlen}"]
        compile_it += [f"-D{macro}" for macro in test["macros"]
                       if not macro.startswith("XLEN=")]
        compile_it += self.compile_options + [test["test_path"], "-o", elf]
        run_it = [self.dut_exe, *self.options, f"--isa={self.isa}", "--quiet",
                  "--signature", self.signature(test), elf]
        return [compile_it, run_it] if self.target_run else [compile_it]

    def run_one(self, name, test):
        """Runs a test's commands; returns what went wrong, or None."""
        for command in self.commands(test):
            logger.debug("%s: %s", name, shlex.join(command))
            try:
                done = subprocess.run(command, cwd=test["work_dir"],
                                      capture_output=True, text=True,
                                      timeout=self.timeout, check=False)
            except subprocess.TimeoutExpired:
                return f"{name}: no end after {self.timeout} s: " \
                       + shlex.join(command)
            if done.returncode:
                return f"{name}: status {done.returncode}: " \
                       f"{shlex.join(command)}\n{done.stderr}"
        return None

    def runTests(self, testList):
        """
        RISCOF gives up where it finds no signature, so a test that fails gets
        one that equals no other.
        """
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            problems = pool.map(self.run_one, testList.keys(),
                                testList.values())
            for test, problem in zip(testList.values(), problems):
                if problem:
                    logger.error(problem)
                    with open(self.signature(test), "w",
                              encoding="utf-8") as file:
                        file.write(f"failed: {problem}\n")
        if not self.target_run:
            raise SystemExit(0)

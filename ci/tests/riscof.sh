#!/bin/bash
# The YAML files keep the rules of riscv-config, and the RISCOF plug-in leaves the
# right signatures: its class, driven by a stand-in
# for the few names of RISCOF that it uses, compiles and runs tests of our own in
# the form of architectural tests, on RV32 and RV64, functional and timed.
# ci: area isa
# ci: needs bin/sim-run
. ci/tests/head

tools python3 riscv64-unknown-elf-gcc
mkdir -p "$dir/riscof" "$dir/env" "$dir/bin"
ln -s "$sim" "$dir/bin/sim-run"

# What the plug-in imports. YAML: what our two files need of it.
touch "$dir/riscof/__init__.py"
cat >"$dir/riscof/utils.py" <<'END'
import ast

def scalar(text):
    if text in ("true", "false"):
        return text == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text

def load_yaml(path):
    top, inner = {}, None
    with open(path, encoding="ascii") as file:
        for line in file:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            key, value = (part.strip() for part in line.split(":", 1))
            if not line.startswith(" "):
                inner = top[key] = {}
                if value:
                    top[key] = scalar(value)
            else:
                inner[key] = scalar(value)
    return top
END
cat >"$dir/riscof/pluginTemplate.py" <<'END'
class pluginTemplate:
    def __init__(self, *args, **kwargs):
        self.role = kwargs["name"]

    @property
    def name(self):
        return self.role + "-" + self.__model__ + ":"
END

# Tests: integer results, a trap handler, floating point with flags.
cat >"$dir/env/store.h" <<'END'
#if XLEN == 64
#define SREG sd
#else
#define SREG sw
#endif
END
begin='#include "model_test.h"
#include "store.h"
    .section .text.init
    .globl rvtest_entry_point
rvtest_entry_point:
RVMODEL_BOOT
RVMODEL_IO_WRITE_STR(x31, "begins, now")
    la x1, result'
end='RVMODEL_HALT
    .data
RVMODEL_DATA_BEGIN
result:
    .fill 4, 4, 0xdeadbeef
RVMODEL_DATA_END'
cat >"$dir/integer.S" <<END
$begin
    li a0, -7
    li a1, FACTOR
    mul a2, a0, a1
    sw a2, 0(x1)
    sh1add a2, a1, a1
    sw a2, 4(x1)
$end
END
cat >"$dir/trap.S" <<END
$begin
    la t0, handler
    csrw mtvec, t0
    ecall
    csrr t0, mstatus
    srli t0, t0, 11
    andi t0, t0, 3
    sw t0, 8(x1)
    j done
    .balign 4
handler:
    csrr t0, mcause
    sw t0, 0(x1)
    csrr t0, mtval
    sw t0, 4(x1)
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    mret
done:
$end
END
cat >"$dir/float.S" <<END
$begin
    li t0, 0x6000
    csrs mstatus, t0
    csrwi fcsr, 0
    li a0, 1
    fcvt.s.w fa0, a0
    li a0, 3
    fcvt.s.w fa1, a0
    fdiv.s fa2, fa0, fa1
    fsw fa2, 0(x1)
    csrr a0, fflags
    sw a0, 4(x1)
    .if FLEN == 64
    fcvt.d.s fa2, fa2
    fsd fa2, 8(x1)
    .endif
$end
END
sed 's/mul a2/.word 0 # mul a2/' "$dir/integer.S" >"$dir/broken.S"
sed 's/\.fill 4, 4/.fill 5, 4/' >"$dir/words.S" <<END
$begin
$end
END

# What riscv-config's schemas ask for, of the keys that our files have: those
# that are required are there, there is no other, values are of their type.
cat >"$dir/validate.py" <<'END'
import re, sys
sys.path[:0] = [sys.argv[1]]
from riscof import utils

problems = []

def expect(true, text):
    if not true:
        problems.append(text)

def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)

def vector(name, value):
    expect(isinstance(value, dict) and len(value) == 1 and
           (is_integer(value.get("address")) or
            isinstance(value.get("label"), str)),
           f"{name}: {value}: expected either address, a number, or label")

def timer(name, value):
    expect(isinstance(value, dict) and set(value) <= {"implemented", "address"}
           and isinstance(value.get("implemented", False), bool) and
           is_integer(value.get("address", 0)),
           f"{name}: {value}: expected implemented and address")

PLATFORM = {"reset": vector, "nmi": vector, "mtime": timer, "mtimecmp": timer}

def platform(yaml):
    for name in "reset", "nmi":
        expect(name in yaml, f"{name}: required")
    for name, value in yaml.items():
        if name in PLATFORM:
            PLATFORM[name](name, value)
        else:
            problems.append(f"{name}: not a key of a platform")

ISA = re.compile("RV(32|64)[IE][ACDFGHJLMNPQSTUV]*"
                 "((Z[a-z0-9]+)(_Z[a-z0-9]+)*)?$")
HART = {
    "ISA": lambda value: isinstance(value, str) and ISA.match(value),
    "User_Spec_Version": lambda value: value in ("2.2", "2.3"),
    "Privilege_Spec_Version": lambda value: value in ("1.10", "1.11"),
    "supported_xlen": lambda value: value in ([32], [64]),
    "physical_addr_sz": lambda value: is_integer(value) and 0 < value <= 56,
    "hw_data_misaligned_support": lambda value: isinstance(value, bool),
    "pmp_granularity": lambda value: is_integer(value) and value >= 0,
}

def hart(name, yaml):
    for key in "ISA", "supported_xlen", "physical_addr_sz":
        expect(key in yaml, f"{name}: {key}: required")
    for key, value in yaml.items():
        expect(key in HART and HART[key](value), f"{name}: {key}: {value}")
    xlen = yaml.get("supported_xlen", [0])[0]
    expect(str(yaml.get("ISA")).startswith(f"RV{xlen}"), f"{name}: ISA, xlen")
    expect(xlen == 64 or yaml.get("physical_addr_sz", 0) <= 34,
           f"{name}: physical_addr_sz: more than 34 bits on RV32")

def isa(yaml):
    harts = yaml.pop("hart_ids", None)
    expect(isinstance(harts, list) and harts, "hart_ids: required")
    expect(set(yaml) == {f"hart{n}" for n in harts or []}, "a hart for each id")
    for name, value in yaml.items():
        hart(name, value)

for path in sys.argv[2:]:
    (platform if "platform" in path else isa)(utils.load_yaml(path))
    for problem in problems:
        print(f"FAIL: {path}: {problem}")
sys.exit(bool(problems))
END
validate() {
    python3 "$dir/validate.py" "$dir" "$@"
}
validate ci/riscof/corbel_{platform,rv32,rv64}.yaml || exit 1
invalid() { # FILE SED-SCRIPT: refused when changed so
    sed "$2" "ci/riscof/$1" >"$dir/$1"
    ! validate "$dir/$1" >/dev/null || fail "$1 with $2 is accepted"
}
invalid corbel_platform.yaml '/^reset/,+1d'
invalid corbel_platform.yaml '/^nmi/,+1d'
invalid corbel_platform.yaml 's/address: 0x.*/address: start/'
invalid corbel_platform.yaml 's/mtime/time/'
invalid corbel_rv32.yaml /physical/d
invalid corbel_rv32.yaml 's/ 32$/ 56/'
invalid corbel_rv64.yaml /ISA/d
invalid corbel_rv64.yaml 's/RV64/RV32/'
invalid corbel_rv64.yaml 's/hart0/hart1/'
invalid corbel_rv64.yaml 's/_Zba/-Zba/'

cat >"$dir/drive.py" <<'END'
import importlib, logging, os, sys

folder, plugin, xlen, options = sys.argv[1:]
sys.path[:0] = [folder, plugin]
sys.dont_write_bytecode = True
module = importlib.import_module("riscof_corbel")
errors = []
class Collect(logging.Handler):
    def emit(self, record):
        errors.append(record.getMessage())
logging.getLogger().addHandler(Collect(logging.ERROR))

def refused(**wrong):
    try:
        module.corbel(name="DUT", config=wrong)
    except SystemExit:
        return True
    print(f"FAIL: config.ini: {wrong} is accepted")

config = {"pluginpath": plugin, "PATH": folder + "/bin", "jobs": "2",
          "ispec": f"{plugin}/corbel_rv{xlen}.yaml",
          "pspec": f"{plugin}/corbel_platform.yaml", "options": options}
dut = module.corbel(name="DUT", config=config)
dut.initialise(folder, folder, folder + "/env")
dut.build(dut.isa_spec, dut.platform_spec)

def test(name, isa, *macros):
    work = f"{folder}/run/{name}/dut"
    os.makedirs(work, exist_ok=True)
    signature = work + "/DUT-corbel.signature"
    if os.path.exists(signature):
        os.remove(signature)
    return {"work_dir": work, "test_path": f"{folder}/{name}.S", "isa": isa,
            "macros": ["TEST_CASE_1=True", *macros, "XLEN=" + xlen]}

base = "RV" + xlen
dut.runTests({
    "integer": test("integer", base + "IMZba", "FACTOR=6"),
    "trap": test("trap", base + "IZicsr"),
    "float": test("float", base + "IFDZicsr", "FLEN=64"),
    "broken": test("broken", base + "IMZba", "FACTOR=6"),
})
expected = {
    "integer": "ffffffd6 00000012 deadbeef deadbeef",
    "trap": "0000000b 00000000 00000003 deadbeef",
    "float": "3eaaaaab 00000001 60000000 3fd55555",
}
failed = False
for name, words in expected.items():
    path = f"{folder}/run/{name}/dut/DUT-corbel.signature"
    text = open(path, encoding="ascii").read() if os.path.exists(path) else ""
    if text != words.replace(" ", "\n") + "\n":
        failed = True
        print(f"FAIL: rv{xlen} {options}: {name}: got {text.split()}, "
              f"expected {words.split()}")
with open(f"{folder}/run/broken/dut/DUT-corbel.signature") as file:
    text = file.read()
if not text.startswith("failed: broken: status 202") or len(errors) != 1:
    failed = True
    print(f"FAIL: rv{xlen} {options}: a test that faults: errors {errors}")
for isa, string in (("RV32IMAFDCZicsr_Zifencei_Zba_Zbb",
                     "rv32imafdc_zicsr_zifencei_zba_zbb"),
                    ("RV64IMCUZmmul_Zba", "rv64imc_zba"), ("RV64I", "rv64i")):
    if module.isa_string(isa) != string:
        failed = True
        print(f"FAIL: isa_string({isa}): {module.isa_string(isa)}")
for align, words in (("4", 5), ("16", 8), ("64", 16)):
    config["signature_align"] = align
    aligned = module.corbel(name="DUT", config=config)
    aligned.initialise(folder, folder, folder + "/env")
    aligned.build(aligned.isa_spec, aligned.platform_spec)
    one = test("words", base + "I")
    aligned.runTests({"words": one})
    text = open(aligned.signature(one), encoding="ascii").read()
    if len(text.split()) != words:
        failed = True
        print(f"FAIL: signature_align {align}: {len(text.split())} words, "
              f"expected {words}")
if not refused() or not refused(**config | {"signature_align": "3"}):
    failed = True
sys.exit(failed)
END

failed=0
for xlen in 32 64; do
    for options in --functional "-a tiny -s chip.tps=4"; do
        python3 "$dir/drive.py" "$dir" "$PWD/ci/riscof" $xlen "$options" || failed=1
    done
done
exit $failed

"""
corbel-sweep make, parallel, slurm, snakemake: what has another program run the
points. All of them call `corbel-sweep run` for tasks, which are as many points
each as --per-task says; that is all they know of a sweep. Printed again it is
the same, and running it again runs what is left.
"""
import os
import shlex
import sys

from . import files
from .runner import PROCESSORS
from .store import Store
from .wrong import AGAIN, Wrong


class Tasks:
    def __init__(self, folder, options):
        self.store = Store(os.path.abspath(folder))
        self.sweep = self.store.load()
        points = self.sweep["planned"]
        self.each = options.per_task
        if options.verb == "slurm":
            self.each = max(self.each, -(-points // options.array_max))
        if self.each < 1:
            raise Wrong("--per-task: expected 1 or more")
        self.count = -(-points // self.each)
        self.threads = options.threads

    def command(self, task, *more):
        """Words as a shell takes them; the task is one of its own notation."""
        words = [os.path.realpath(sys.argv[0]), "run", self.store.folder]
        rest = ["--per-task", str(self.each),
                *(["-j", str(self.threads)] if self.threads else []), *more]
        return " ".join([shlex.join(words), "--task", task, *rest])


def make(tasks):
    command = tasks.command("\0").replace("$", "$$").replace("\0", "$*")
    return f"""\
# make -f FILE -k -j N: tasks of the sweep, N at a time. -k goes on behind one that fails.
TASKS := $(patsubst %,task-%,$(shell seq 0 {tasks.count - 1}))
.PHONY: all $(TASKS)
all: $(TASKS)
$(TASKS): task-%:
\t@{command}
"""


def parallel(tasks):
    log = shlex.quote(tasks.store.path("parallel.log"))
    command = tasks.command("{}")
    return (f"seq 0 {tasks.count - 1} | parallel --joblog {log} "
            f"{shlex.quote(command)}\n")


def snakemake(tasks):
    # What is done of one plan is not all that another asks for.
    folder = f"snakemake/{tasks.sweep['plan'][:12]}"
    command = tasks.command("\0").replace("{", "{{").replace("}", "}}")
    command = command.replace("\0", "{wildcards.task}")
    return f"""\
# snakemake -s FILE --cores N -k: tasks of the sweep, N at a time.
workdir: {tasks.store.folder!r}
done = "{folder}/{{task}}.done"
rule all:
    input: expand(done, task=range({tasks.count}))
rule task:
    output: touch(done)
    threads: {tasks.threads or 1}
    shell: {command!r}
"""


def slurm(tasks, options):
    threads = tasks.threads or 1
    log = tasks.store.path("slurm-%a.txt")
    tasks.threads = 0  # run takes what Slurm gives, by PROCESSORS
    assert PROCESSORS[0] == "SLURM_CPUS_PER_TASK"
    scratch = ["--scratch", options.scratch or '"${TMPDIR:-/tmp}"']
    if options.scratch:
        scratch[1] = shlex.quote(options.scratch)
    command = tasks.command('"$SLURM_ARRAY_TASK_ID"', *scratch)
    return f"""\
#!/bin/bash
# sbatch FILE: tasks of the sweep, {options.at_a_time} at a time. Before its time is up a task is
# told by SIGUSR1; it saves what it runs and is queued again.
#SBATCH --job-name={files.plain(tasks.sweep["name"])}
#SBATCH --array=0-{tasks.count - 1}%{options.at_a_time}
#SBATCH --cpus-per-task={threads}
#SBATCH --time={options.time}
#SBATCH --signal=B:USR1@{options.notice}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={log}
{command} &
run=$!
trap 'told=1; kill -USR1 $run' USR1 TERM
while # A signal ends `wait` before the run has ended.
    told=
    wait $run
    status=$?
    [ "$told" ]
do :; done
if [ $status = {AGAIN} ]; then
    # Not by its job's number: that of the last task is also the number of all.
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"
fi
exit $status
"""


def emit(folder, options):
    tasks = Tasks(folder, options)
    if options.verb == "slurm":
        return slurm(tasks, options)
    return {"make": make, "parallel": parallel,
            "snakemake": snakemake}[options.verb](tasks)

"""The command line of corbel-sweep."""
import argparse
import os
import sys

from .wrong import HOST, STATUSES, USAGE, Wrong


class Parser(argparse.ArgumentParser):
    """Errors are one line."""

    def error(self, message):
        raise Wrong(f"{message}; corbel-sweep --help shows how")


def parser():
    top = Parser(
        prog="corbel-sweep", allow_abbrev=False,
        description="Many runs of sim-run as one study: what the points are, "
                    "what is done, what came out.",
        epilog="exit status: " + "; ".join(
            f"{status}: {text}" for status, text in STATUSES.items()))
    top.add_argument("--version", action="store_true",
                     help="print the version and stop")
    verbs = top.add_subparsers(dest="verb", metavar="VERB",
                               parser_class=Parser)

    def verb(name, text):
        one = verbs.add_parser(name, help=text, description=text,
                               allow_abbrev=False)
        return one

    one = verb("plan", "make the points that SPEC asks for in DIR")
    one.add_argument("spec", metavar="SPEC")
    one.add_argument("folder", metavar="DIR")
    one.add_argument("--sim", metavar="FILE", help="the sim-run to use")
    one = verb("run", "run points of DIR: K, K-L, or all; what is done stays")
    one.add_argument("folder", metavar="DIR")
    one.add_argument("points", metavar="K", nargs="*")
    one.add_argument("-j", dest="threads", type=int, metavar="N",
                     help="host threads of a run (what the scheduler gives, "
                          "else 1)")
    one.add_argument("--again", action="store_true",
                     help="run points again that have failed")
    one.add_argument("--task", type=int, metavar="T",
                     help="the points of task T, from 0 on")
    one.add_argument("--per-task", type=int, default=1, metavar="M",
                     help="how many a task has (1)")
    one.add_argument("--scratch", metavar="FOLDER",
                     help="run on this machine's own disk")
    one.add_argument("--quiet", action="store_true",
                     help="no lines about points that have failed")
    one.add_argument("--sim", metavar="FILE", help="the sim-run to use")
    for name, text in EMITTED.items():
        one = verb(name, text)
        one.add_argument("folder", metavar="DIR")
        one.add_argument("--per-task", type=int, default=1, metavar="M",
                         help="points that a task runs one after the other "
                              "(1); more, if they are short")
        one.add_argument("-j", dest="threads", type=int, metavar="N",
                         help="host threads of a run (1)")
        if name == "slurm":
            slurm_options(one)
    one = verb("status", "say how far DIR is, and how long the rest takes")
    one.add_argument("folder", metavar="DIR")
    one = verb("collect", "make tables and figures of what DIR has by now")
    one.add_argument("folder", metavar="DIR")
    one.add_argument("--sql", metavar="FILE", help="an SQLite database")
    one.add_argument("--csv", metavar="FILE", help="a row for each value")
    one.add_argument("--page", metavar="FILE", help="a page for a browser")
    one.add_argument("--figures", metavar="FOLDER",
                     help="the figures of the page as SVG and PDF")
    one.add_argument("--figure", metavar="NAME",
                     help="what they show: GROUP.NAME, or cycles, which they "
                          "do without `figure` in the sweep's file")
    one.add_argument("--part", metavar="PART",
                     help="of which part of the runs: region, run, or a "
                          "window (region, if all have one)")
    one.add_argument("--cost", metavar="NAME",
                     help="a setting or GROUP.NAME, of which the Pareto front "
                          "wants little, too; none: there is no front")
    one.add_argument("--mixed", action="store_true",
                     help="points of earlier plans, and of other versions of "
                          "sim-run, too")
    return top


EMITTED = {
    "make": "print a Makefile that runs DIR",
    "parallel": "print the line by which GNU parallel runs DIR",
    "slurm": "print a script for sbatch that runs DIR",
    "snakemake": "print a Snakefile that runs DIR",
}


def slurm_options(one):
    one.add_argument("--at-a-time", type=int, default=50, metavar="N",
                     help="tasks that run at the same time (50)")
    one.add_argument("--array-max", type=int, default=1000, metavar="N",
                     help="tasks of an array, at most (1000): MaxArraySize of "
                          "scontrol show config")
    one.add_argument("--time", default="60", metavar="T",
                     help="limit of a task, as sbatch takes it (60 minutes)")
    one.add_argument("--notice", type=int, default=120, metavar="S",
                     help="seconds before it in which a task saves (120)")
    one.add_argument("--scratch", metavar="FOLDER",
                     help="where nodes have a disk of their own ($TMPDIR, "
                          "else /tmp)")


def act(options):
    if options.version:
        from .sim import find, version
        print(version(find("")).replace("sim-run", "corbel-sweep", 1))
        return 0
    if options.verb == "plan":
        from .plan import plan
        print(f"corbel-sweep: {plan(options.spec, options.folder, options.sim)}")
        return 0
    if options.verb == "run":
        from .runner import run
        return run(options.folder, options.points, options)
    if options.verb in EMITTED:
        from .emit import emit
        print(emit(options.folder, options), end="")
        return 0
    if options.verb == "status":
        from .status import status
        print("\n".join(status(options.folder)))
        return 0
    if options.verb == "collect":
        from .collect import collect
        print(f"corbel-sweep: {collect(options.folder, options)}")
        return 0
    raise Wrong("expected a verb; corbel-sweep --help shows them")


def main(words=None):
    try:
        status = act(parser().parse_args(words))
        sys.stdout.flush()
        return status
    except Wrong as wrong:
        said = " ".join(str(wrong).split())
        print(f"corbel-sweep: {said}", file=sys.stderr)
        return wrong.status
    except OSError as error:
        # What could not be printed is not tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        print(f"corbel-sweep: {error.filename or 'standard output'}: "
              f"{error.strerror or error}", file=sys.stderr)
        return HOST
    except KeyboardInterrupt:
        return 130

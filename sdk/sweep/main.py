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
                     help="print the version of sim-run and stop")
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
    return top


def act(options):
    if options.verb == "plan":
        from .plan import plan
        print(f"corbel-sweep: {plan(options.spec, options.folder, options.sim)}")
        return 0
    if options.verb == "run":
        from .runner import run
        return run(options.folder, options.points, options)
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
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return HOST
    except OSError as error:
        print(f"corbel-sweep: {error.filename or 'a file'}: "
              f"{error.strerror or error}", file=sys.stderr)
        return HOST
    except KeyboardInterrupt:
        return 130

"""What a program counts on one warp of tiny-simt, and what each of its rounds does; and what is
expected of that. For the checks of simt-*.sh, which end with `sys.exit(rounds.wrong > 0)`."""
import json
import subprocess

wrong = 0


def expect(what, counted, expected, within=0):
    global wrong
    if abs(counted - expected) > within:
        print(f"{what}: {counted}, expected {expected}")
        wrong += 1


class Program:
    """A program whose last argument is the number of its rounds."""

    def __init__(self, sim, path, *settings):
        self.path = path
        self.command = [sim, "--quiet", "-a", "tiny-simt", "--outdir", f"{path}.out",
                        *self.options(["chip.warps=1", "chip.subcores=1", *settings])]

    @staticmethod
    def options(settings):
        return [word for setting in settings for word in ("-s", setting)]

    def run(self, words, rounds, settings=()):
        """Counters and buckets of the SM, and cycles."""
        subprocess.run([*self.command, *self.options(settings), self.path, *map(str, words),
                        str(rounds)], check=True)
        with open(f"{self.path}.out/stats.json", encoding="utf-8") as file:
            stats = json.load(file)
        sm = stats["groups"]["tp"]
        return {**sm["counters"], **sm["buckets"], "cycles": stats["cycles"]}

    def a_round(self, words, settings=(), few=10, many=42):
        """What a round counts: numbers of rounds that are as long to read differ in no other."""
        less, more = self.run(words, few, settings), self.run(words, many, settings)
        return {name: (more[name] - less[name]) / (many - few) for name in more}

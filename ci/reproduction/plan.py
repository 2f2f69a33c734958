"""
The cases of the parts: which chip, with which settings, traces which rays of
which scene. From plan.toml, calibration.toml and streams.toml, and nothing
else.
"""
import itertools
import tomllib
from dataclasses import dataclass

from chip import Wrong

SIZE = 1024   # pixels on a side of the published pictures
SHARE = 0.25  # by which constants are varied


@dataclass(frozen=True)
class Case:
    """One run of the simulator."""
    part: str
    chip: str    # its name in plan.toml
    preset: str  # and for sim-run
    scene: str
    kind: str
    size: tuple  # pixels across and up
    program: str
    mode: str
    convert: tuple
    arguments: tuple = ()    # of the program, besides its mode
    settings: tuple = ()
    about: tuple = ("", "")  # calibration: what is varied, and how; streams:
                             # the experiment, and the variant in it
    options: tuple = ()      # of sim-run, besides the chip's
    interval: int = 0        # cycles between the figures of a series; 0: none

    def name(self):
        return "-".join(filter(None, (self.chip, self.scene, self.kind,
                                      self.across(), *self.about)))

    def across(self):
        """The size as corbel-rays takes it."""
        return "x".join(map(str, self.size))

    def rays(self):
        return self.size[0] * self.size[1]


@dataclass
class Plan:
    """What the files say."""
    plan: dict
    published: dict
    calibration: dict
    streams: dict

    def chip(self, name):
        """What plan.toml says of a chip, and of those that it is like."""
        about = self.plan["chips"][name]
        base = (self.chip(about["like"]) if "like" in about else
                {"preset": name, "program": "replay", "arguments": [],
                 "settings": []})
        return base | about | {
            "settings": base["settings"] + about.get("settings", [])}

    def converted(self, chip):
        return tuple(self.chip(chip)["convert"])

    def reference(self):
        """What rays are made from: the conversion for this chip."""
        return self.converted(self.plan["rays"]["chip"])

    def mesh(self, scene):
        """File name of the scene's mesh; None: it is generated."""
        return self.plan["scenes"][scene].get("mesh")

    def origin(self, scene):
        """Where the scene's mesh is from, and what is to be done with it."""
        about = self.plan["scenes"][scene]
        how = about.get("how")
        return about["source"] + (f"; {how}" if how else "")


def load(folder):
    def read(name):
        try:
            with open(f"{folder}/{name}.toml", "rb") as file:
                return tomllib.load(file)
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise Wrong(f"{folder}/{name}.toml: {error}") from None

    return Plan(*map(read, ("plan", "published", "calibration", "streams")))


def case(plan, part, chip, scene, kind, size, settings=(), arguments=(),
         convert=None, **more):
    """Settings and arguments come after those that the chip always has."""
    about = plan.chip(chip)
    return Case(part, chip, about["preset"], scene, kind, size,
                about["program"], about["mode"],
                convert or plan.converted(chip),
                (*about["arguments"], *arguments),
                (*about["settings"], *settings), **more)


def crossed(plan, part, size, settings):
    """Every chip of the part on every scene with every kind of rays."""
    about = plan.plan["parts"][part]
    return [case(plan, part, chip, scene, kind, size, settings=settings)
            for scene in about["scenes"] for chip in about["chips"]
            for kind in plan.plan["kinds"]]


def scaled(shape, size, divide):
    """Pixels of a picture that has `shape` where `size` is the plan's own."""
    return tuple(max(1, pixels * size // SIZE // divide) for pixels in shape)


# ---- calibration ------------------------------------------------------------

def nominal(chip, parameter):
    group, _, name = parameter.partition(".")
    values = (chip.options if group == "chip" else
              chip.groups[group].parameters if group in chip.groups else {})
    if not isinstance(values.get(name), int):
        raise Wrong(f"calibration.toml: the chip has no number {parameter}")
    return values[name]


def rounded(value, wanted, step):
    """To a multiple of the step, but not to what it was."""
    near = round(wanted / step) * step
    if near == value:
        near += step if wanted > value else -step
    return near


def varied(constant, chip, which):
    """The other value of the constant, None without one."""
    given = constant.get(which)
    if given is not None:
        return None if given == "none" else given
    value = nominal(chip, constant["parameter"])
    factor = 1 + (SHARE if which == "high" else -SHARE)
    other = rounded(value, value * factor, constant.get("step", 1))
    return other if other > 0 else None


def variants(plan, chip):
    """(What is varied, how), settings, options of the conversion."""
    yield ("nominal", ""), (), None
    for constant in plan.calibration.get("constant", []):
        for which in ("low", "high"):
            value = varied(constant, chip, which)
            if value is not None:
                yield ((constant["parameter"], which),
                       (f"{constant['parameter']}={value}",
                        *constant.get(f"also_{which}", [])), None)
    for other in plan.calibration.get("alternative", []):
        convert = other.get("convert")
        yield ((other["name"], "instead"), tuple(other.get("set", [])),
               convert and tuple(convert))


def calibration(plan, part, size, settings, describe):
    about = plan.plan["parts"][part]
    cases = []
    for name in about["chips"]:
        chip = describe(name, settings)
        cases += [case(plan, part, name, scene, kind, size,
                       settings=settings + changes, about=what,
                       convert=convert)
                  for what, changes, convert in variants(plan, chip)
                  for scene in about["scenes"]
                  for kind in plan.plan["kinds"]]
    return cases


def constants(plan, part, settings, describe):
    """The rows of the table of constants, but for what was measured."""
    chip = describe(plan.plan["parts"][part]["chips"][0], settings)
    return [{"parameter": c["parameter"], "unit": c["unit"],
             "value": nominal(chip, c["parameter"]),
             "low": varied(c, chip, "low"), "high": varied(c, chip, "high"),
             "source": c["source"]}
            for c in plan.calibration.get("constant", [])]


# ---- streams ----------------------------------------------------------------

def choices(experiment):
    """The axes of an experiment, each of them the variants along it."""
    axes = list(experiment.get("axes", []))
    if sweep := experiment.get("sweep"):
        axes.append([{"name": f"{sweep} {value}", **(
            {"convert": [sweep, str(value)]} if sweep.startswith("--") else
            {"set": [f"{sweep}={value}"]})} for value in experiment["values"]])
    return axes


def replaced(convert, options):
    """Options of the conversion, each with a value: those given instead."""
    both = [dict(zip(words[::2], words[1::2])) for words in (convert, options)]
    return tuple(word for pair in (both[0] | both[1]).items() for word in pair)


def joined(combination, key):
    return tuple(word for variant in combination
                 for word in variant.get(key, []))


def experiment_cases(plan, part, experiment, size, settings):
    """
    Each chip with one variant of each axis, but those it cannot be; smaller
    pictures first.
    """
    shape = experiment.get("shape", (SIZE, SIZE))
    return [case(plan, part, chip, scene, kind, scaled(shape, size, divide),
                 settings=(*joined(combination, "set"),
                           *experiment.get("set", []), *settings),
                 arguments=joined(combination, "arguments"),
                 convert=replaced(plan.converted(chip),
                                  joined(combination, "convert")),
                 about=(experiment["name"],
                        ", ".join(v["name"] for v in combination)),
                 options=tuple(plan.streams.get("options", [])),
                 interval=experiment.get("interval", 0))
            for scene in experiment["scenes"] for kind in experiment["kinds"]
            for divide in experiment["divide"]
            for chip in experiment["chips"]
            for combination in itertools.product(*choices(experiment))
            if all(chip in v.get("chips", [chip]) for v in combination)]


def cases(plan, part, size, settings, describe):
    if part == "streams":
        return [c for experiment in plan.streams["experiment"]
                for c in experiment_cases(plan, part, experiment, size,
                                          settings)]
    size = scaled((SIZE, SIZE), size, plan.plan["parts"][part]["divide"])
    if part == "calibration":
        return calibration(plan, part, size, settings, describe)
    return crossed(plan, part, size, settings)

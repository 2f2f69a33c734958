"""
Figures as SVG, for pages and for papers. Colours are those of sim-report
(sim/report/page/looks.js), which people with any kind of colour blindness can
tell apart; lines differ by their marks, too.
"""
import html
import math
import shutil
import subprocess

from .analysis import place, short
from .values import number
from .wrong import HOST, Wrong

PALETTE = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7",
           "#f0e442")
WIDTH, HEIGHT = 620, 380
LEFT, RIGHT, TOP, BOTTOM = 92, 18, 34, 52
INK, QUIET, LINE = "#1c2126", "#59636e", "#d5dae0"


def clean(text):
    return html.escape(str(text), quote=True)


class Picture:
    def __init__(self, title, width=WIDTH, height=HEIGHT):
        self.width, self.height, self.parts = width, height, []
        self.text(LEFT, 20, title, size=14, weight="bold")

    def add(self, tag, inner=None, **attributes):
        words = " ".join(f'{name.replace("_", "-")}="{clean(value)}"'
                         for name, value in attributes.items())
        self.parts.append(f"<{tag} {words}/>" if inner is None else
                          f"<{tag} {words}>{inner}</{tag}>")

    def text(self, x, y, words, size=12, anchor="start", fill=INK,
             weight="normal", **more):
        self.add("text", clean(words), x=f"{x:.1f}", y=f"{y:.1f}",
                 font_size=size, text_anchor=anchor, fill=fill,
                 font_weight=weight, **more)

    def line(self, x1, y1, x2, y2, stroke=LINE, width=1, **more):
        self.add("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}",
                 y2=f"{y2:.1f}", stroke=stroke, stroke_width=width, **more)

    def rect(self, x, y, width, height, fill, **more):
        self.add("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{width:.1f}",
                 height=f"{height:.1f}", fill=fill, **more)

    def whole(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" '
                f'viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" role="img" '
                'font-family="DejaVu Sans, sans-serif">'
                f'<rect width="100%" height="100%" fill="#ffffff"/>'
                + "\n".join(self.parts) + "</svg>\n")


# ---- axes -------------------------------------------------------------------

def ticks(low, high):
    """Four to eight round numbers."""
    span = high - low or abs(high) or 1
    step = 10 ** math.floor(math.log10(span / 4))
    step *= next(m for m in (1, 2, 5, 10) if span / (step * m) <= 8)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


class Axis:
    """
    From values to pixels: numbers by their size, or their logarithm where
    they span much; names side by side.
    """

    def __init__(self, values, begin, end, room=0.05, zero=False):
        self.values = sorted(set(values), key=place)
        numbers = [number(v) for v in self.values]
        self.named = None in numbers
        if self.named:
            numbers = list(range(len(numbers)))
        self.log = (not self.named and not zero and numbers[0] > 0 and
                    numbers[-1] / numbers[0] >= 16 and len(numbers) > 2)
        scaled = [math.log(n) if self.log else n for n in numbers]
        low, high = min(scaled), max(scaled)
        if zero:
            low = min(low, 0)
        pad = (high - low or abs(high) or 1) * room
        self.low = low if zero and low == 0 else low - pad
        self.high, self.begin, self.end = high + pad, begin, end

    def at(self, value):
        n = self.values.index(value) if self.named else number(value)
        n = math.log(n) if self.log else n
        return self.begin + (self.end - self.begin) * (n - self.low) / (
            self.high - self.low)

    def marks(self):
        if self.named or self.log or len(self.values) <= 6:
            step = -(-len(self.values) // 8)
            return [(v, short(v)) for v in self.values[::step]]
        return [(t, short(float(t))) for t in ticks(self.low, self.high)]


def frame(picture, x, y, x_name, y_name):
    bottom, right = picture.height - BOTTOM, picture.width - RIGHT
    for value, label in x.marks():
        at = x.at(value)
        picture.line(at, bottom, at, bottom + 5, QUIET)
        picture.text(at, bottom + 18, label, anchor="middle", size=11)
    for value in ticks(y.low, y.high):
        at = y.at(value)
        picture.line(LEFT, at, right, at)
        picture.text(LEFT - 7, at + 4, short(float(value)), anchor="end",
                     size=11)
    picture.line(LEFT, bottom, right, bottom, QUIET)
    picture.text((LEFT + right) / 2, picture.height - 12, x_name,
                 anchor="middle")
    picture.text(16, (TOP + bottom) / 2, y_name, anchor="middle",
                 transform=f"rotate(-90 16 {(TOP + bottom) / 2:.1f})")


def mark(picture, kind, x, y, fill):
    if kind % 3 == 0:
        picture.add("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, fill=fill)
    elif kind % 3 == 1:
        picture.rect(x - 3.6, y - 3.6, 7.2, 7.2, fill)
    else:
        picture.add("path", d=f"M{x - 4.5:.1f} {y + 3.6:.1f}h9l-4.5 -8z",
                    fill=fill)


def legend(picture, names):
    """Below each other, in the corner with the title."""
    for i, name in enumerate(names[:12]):
        y = TOP + 12 + 16 * i
        mark(picture, i, picture.width - RIGHT - 8, y - 4,
             PALETTE[i % len(PALETTE)])
        picture.text(picture.width - RIGHT - 18, y, name, size=11,
                     anchor="end")


# ---- figures ----------------------------------------------------------------

def curves(title, lines, x_name, y_name):
    """Lines of (value, Mean) by name, with bars for intervals of 95 %."""
    picture = Picture(title)
    bottom = HEIGHT - BOTTOM
    x = Axis([v for line in lines.values() for v, _ in line], LEFT + 12,
             WIDTH - RIGHT - 12)
    ends = [m.value + side * m.half for line in lines.values()
            for _, m in line for side in (-1, 1)]
    y = Axis(ends, bottom, TOP + (16 * min(len(lines), 12) + 8
                                  if len(lines) > 1 else 8), zero=True)
    frame(picture, x, y, x_name, y_name)
    for i, line in enumerate(lines.values()):
        colour = PALETTE[i % len(PALETTE)]
        at = [(x.at(v), y.at(m.value)) for v, m in line]
        picture.add("polyline", points=" ".join(
            f"{a:.1f},{b:.1f}" for a, b in at), fill="none", stroke=colour,
            stroke_width=2)
        for (v, m), (a, b) in zip(line, at):
            if m.half:
                low, high = y.at(m.value - m.half), y.at(m.value + m.half)
                picture.line(a, low, a, high, colour, 1.5)
                for end in (low, high):
                    picture.line(a - 4, end, a + 4, end, colour, 1.5)
            mark(picture, i, a, b, colour)
    if len(lines) > 1:
        legend(picture, list(lines))
    return picture.whole()


def shade(share):
    """From white to blue, and black or white for what stands on it."""
    ends = (255, 255, 255), (0, 74, 128)
    rgb = [round(a + (b - a) * share) for a, b in zip(*ends)]
    return "#" + "".join(f"{c:02x}" for c in rgb), \
        "#ffffff" if share > 0.5 else INK


def heat(title, cells, x_name, y_name):
    """A cell for each pair of values, with its number."""
    xs, ys = (sorted({at[i] for at in cells}, key=place) for i in (0, 1))
    picture = Picture(title)
    low, high = min(cells.values()), max(cells.values())
    width = (WIDTH - LEFT - RIGHT) / len(xs)
    height = (HEIGHT - TOP - BOTTOM) / len(ys)
    for i, a in enumerate(xs):
        for j, b in enumerate(ys):
            left, top = LEFT + i * width, HEIGHT - BOTTOM - (j + 1) * height
            if (a, b) not in cells:
                picture.rect(left, top, width - 1, height - 1, LINE)
                continue
            share = (cells[a, b] - low) / (high - low or 1)
            fill, ink = shade(share)
            picture.rect(left, top, width - 1, height - 1, fill,
                         stroke=LINE)
            if width > 44 and height > 14:
                picture.text(left + width / 2, top + height / 2 + 4,
                             short(float(cells[a, b])), anchor="middle",
                             fill=ink, size=11)
        picture.text(LEFT + (i + 0.5) * width, HEIGHT - BOTTOM + 16, short(a),
                     anchor="middle", size=11)
    for j, b in enumerate(ys):
        picture.text(LEFT - 7, HEIGHT - BOTTOM - (j + 0.5) * height + 4,
                     short(b), anchor="end", size=11)
    picture.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, x_name,
                 anchor="middle")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    picture.text(16, middle, y_name, anchor="middle",
                 transform=f"rotate(-90 16 {middle:.1f})")
    return picture.whole()


def pareto(title, points, x_name, y_name):
    """Points, those on the front joined: less of both is better."""
    picture = Picture(title)
    x = Axis([p[0] for p in points], LEFT + 12, WIDTH - RIGHT - 12)
    y = Axis([p[1] for p in points], HEIGHT - BOTTOM, TOP + 8, zero=True)
    frame(picture, x, y, x_name, y_name)
    front = [(x.at(a), y.at(b)) for a, b, _, on in points if on]
    steps = [front[0]]
    for at in front[1:]:
        steps += [(at[0], steps[-1][1]), at]
    picture.add("polyline", points=" ".join(f"{a:.1f},{b:.1f}"
                                            for a, b in steps),
                fill="none", stroke=PALETTE[3], stroke_width=2)
    for a, b, _, on in points:
        mark(picture, 0, x.at(a), y.at(b), PALETTE[3] if on else PALETTE[0])
    return picture.whole()


def bar(picture, x, y, value, change, colour, other, shorter):
    """With its value at its end, on the other bar if both go one way."""
    a, b = sorted((x.at(0), x.at(100 * change)))
    picture.rect(a, y, b - a, 18, colour)
    left = other > 0 if not change else change < 0
    on_other = shorter and change * other > 0
    picture.text(a - 4 if left else b + 4, y + 13, short(value),
                 anchor="end" if left else "start", size=10,
                 fill="#ffffff" if on_other else QUIET)


def tornado(title, rows, unit):
    """A bar from one end of each setting to the other, around the base."""
    height = TOP + BOTTOM + 30 * len(rows)
    picture = Picture(title, height=height)
    shares = [100 * (v - 1) for row in rows for v in row[3:]]
    x = Axis([*shares, 0], LEFT + 150, WIDTH - RIGHT - 60, room=0.12)
    x.log = x.named = False
    for value in ticks(x.low, x.high):
        picture.line(x.at(value), TOP, x.at(value), height - BOTTOM)
        picture.text(x.at(value), height - BOTTOM + 16, f"{value:+g} %" if value else "0 %",
                     anchor="middle", size=11)
    for i, (name, first, last, low, high) in enumerate(rows):
        y = TOP + 30 * i + 6
        # The longer bar first: the other may lie on it.
        for k, (value, ratio, colour) in enumerate(sorted(
                ((first, low, PALETTE[0]), (last, high, PALETTE[1])),
                key=lambda end: -abs(end[1] - 1))):
            bar(picture, x, y, value, ratio - 1, colour,
                (high if value == first else low) - 1, k)
        picture.text(LEFT + 60, y + 13, name, anchor="end")
    picture.line(x.at(0), TOP, x.at(0), height - BOTTOM, INK)
    picture.text((LEFT + WIDTH) / 2, height - 10, unit, anchor="middle")
    return picture.whole()


def pdf(svg_path, pdf_path):
    """False: there is no program that makes it."""
    tool = shutil.which("rsvg-convert")
    if not tool:
        return False
    done = subprocess.run([tool, "-f", "pdf", "-o", pdf_path, svg_path],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(f"{tool}: {done.stderr.strip()}", HOST)
    return True

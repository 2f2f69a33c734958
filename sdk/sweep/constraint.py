"""
Which points are wanted: expressions over their coordinates, as

    l1.size <= l2.size and not (chip == "big" and l2.latency > 100)

in Python's notation, of which only comparison, arithmetic and logic are taken:
nothing of an expression is ever executed as a program.
"""
import ast
import operator

from .values import number
from .wrong import Wrong

OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.USub: operator.neg, ast.Not: operator.not_,
}


def plain(value):
    """A number where it is one, as 2M is."""
    found = number(value) if isinstance(value, str) else value
    return value if found is None else found


def name_of(node):
    """l2.latency is one name; None: it is none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = name_of(node.value)
        return base and f"{base}.{node.attr}"
    return None


class Constraint:
    """Call it with a point's coordinates: is the point wanted?"""

    def __init__(self, text, names):
        self.text, self.names = text, names
        try:
            self.test = self.build(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise self.wrong('expected an expression as l1.size <= "64k" and '
                             'chip != "big"') from None

    def wrong(self, why):
        return Wrong(f"constraints: '{self.text}': {why}")

    def __call__(self, coordinates):
        try:
            return bool(self.test(coordinates))
        except (TypeError, ArithmeticError):
            raise self.wrong(f"cannot be told of {coordinates}") from None

    def build(self, node):
        name = name_of(node)
        if name:
            if name not in self.names:
                known = ", ".join(sorted(self.names))
                raise self.wrong(f"unknown {name}, expected one of {known}")
            return lambda c: plain(c.get(name))
        if isinstance(node, ast.Constant) and isinstance(
                node.value, (int, float, str)):
            value = plain(node.value)
            return lambda c: value
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [self.build(part) for part in node.elts]
            return lambda c: [part(c) for part in parts]
        if isinstance(node, ast.BoolOp):
            parts = [self.build(part) for part in node.values]
            every = all if isinstance(node.op, ast.And) else any
            return lambda c: every(part(c) for part in parts)
        if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
            act, of = OPERATORS[type(node.op)], self.build(node.operand)
            return lambda c: act(of(c))
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            act = OPERATORS[type(node.op)]
            left, right = self.build(node.left), self.build(node.right)
            return lambda c: act(left(c), right(c))
        if isinstance(node, ast.Compare):
            return self.compare(node)
        raise self.wrong("expected names, numbers, and, or, not, "
                         "comparisons and + - * / // %")

    def compare(self, node):
        terms = [self.build(part) for part in (node.left, *node.comparators)]
        acts = []
        for op in node.ops:
            if isinstance(op, ast.In):
                acts.append(lambda a, b: a in b)
            elif isinstance(op, ast.NotIn):
                acts.append(lambda a, b: a not in b)
            elif type(op) in OPERATORS:
                acts.append(OPERATORS[type(op)])
            else:
                raise self.wrong("expected a comparison of values")
        return lambda c: all(act(terms[i](c), terms[i + 1](c))
                             for i, act in enumerate(acts))

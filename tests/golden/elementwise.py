"""Ops that compute each element from those at the same place."""

import torch
import torch.nn.functional as F

from common import FLOATS, INTEGERS, NAMES, NAN, random, special

SIZES = [(), (0,), (1,), (3, 0, 2), (17,), (5, 7), (2, 3, 1, 5)]


def pairs(dtype):
    """Every special value with every one, then random ones; an odd number of elements."""
    values = special(dtype)
    x = torch.cat([values.repeat_interleave(len(values)), random(dtype, (130,), 1)])
    y = torch.cat([values.repeat(len(values)), random(dtype, (130,), 2)])
    odd = len(x) - 1 + len(x) % 2
    return x[:odd], y[:odd]


def alike(answer, other):
    return (answer == other) & ((answer != 0) | (answer.signbit() == other.signbit())) | (answer != answer) & (other != other)


def steady(function, *inputs):
    """The inputs, without what torch answers in one way in its vectors and in another alone, and the answer."""
    alone = [torch.stack([function(*(x[at] for x in inputs)) for at in range(len(inputs[0]))])]
    many = function(*(x.repeat_interleave(128) for x in inputs))
    answers = alone + [many[::128], many[127::128]]
    keep = alike(answers[0], answers[1]) & alike(answers[1], answers[2])
    return [x[keep] for x in inputs], answers[0][keep]


def unary(function, x, **values):
    """A case, named by the dtype."""
    (x,), out = steady(function, x)
    return NAMES[x.dtype], {"x": x, "out": out, **values}


def binary(function, x, y, **values):
    (x, y), out = steady(function, x, y)
    return NAMES[x.dtype], {"x": x, "y": y, "out": out, **values}


def sizes(function, dtype, arity, **values):
    """A case for tensors of each of some sizes."""
    for shape in SIZES:
        inputs = [random(dtype, shape, seed) for seed in range(arity)]
        inputs[1:] = [y + (y == 0) for y in inputs[1:]]
        yield f"sizes {list(shape)}", {**dict(zip("xy", inputs)), "out": function(*inputs), **values}


def approximate(function):
    """Cases of a float function torch computes in another way than we do. By some of its ways an infinity gives NaN, the
    largest numbers an infinity, and subnormal ones 0."""
    for dtype in FLOATS:
        values = special(dtype)
        size = values.abs()
        values = values[~(size > 1e4) & ~((size > 0) & (size < 4 * torch.finfo(dtype).smallest_normal))]
        x = torch.cat([values, torch.linspace(-12, 12, 301).to(dtype), random(dtype, (200,))])
        yield NAMES[dtype], {"x": x, "out": function(x)}
    yield from sizes(function, torch.float32, 1)


def gelu():
    return approximate(F.gelu)


def gelu_tanh():
    return approximate(lambda x: F.gelu(x, approximate="tanh"))


def silu():
    return approximate(F.silu)


def scalar(value):
    return torch.tensor(value, dtype=torch.float32 if isinstance(value, float) else torch.int64)


def clamp():
    for dtype in FLOATS + INTEGERS:
        float_bounds = [(-1.5, 2.0), (2.0, 1.0), (NAN, 1.0), (-1, NAN)]
        bounds = float_bounds if dtype.is_floating_point else [(-5, 100), (7, 6), (-1000, 20), (3, 1 << 40)]
        for low, high in bounds:
            x = torch.cat([special(dtype), random(dtype, (70,))])
            name, case = unary(lambda x: torch.clamp(x, low, high), x, min=scalar(low), max=scalar(high))
            yield f"{name} {low} to {high}", case
    yield from sizes(lambda x: torch.clamp(x, -2.0, 3.0), torch.float32, 1, min=scalar(-2.0), max=scalar(3.0))


def weighted(function):
    """Without what depends on whether torch rounds the product, which its machine decides."""
    for dtype in FLOATS + INTEGERS:
        alphas = [-1, 0.5, 3.0, 0.1] if dtype.is_floating_point else [-1, 3, -7]
        values = [(1, *pairs(dtype))] + [(alpha, *(random(dtype, (77,), seed) for seed in [3, 4])) for alpha in alphas]
        for alpha, x, y in values:
            keep = alike(function(x, y, alpha=alpha), function(x, torch.tensor(alpha).to(dtype) * y))
            name, case = binary(lambda x, y: function(x, y, alpha=alpha), x[keep], y[keep], alpha=scalar(alpha))
            yield f"{name} {alpha}", case
    yield from sizes(function, torch.float32, 2, alpha=scalar(1))


def add():
    return weighted(torch.add)


def sub():
    return weighted(torch.sub)


def all_dtypes(function):
    for dtype in FLOATS + INTEGERS:
        yield binary(function, *pairs(dtype))
    yield from sizes(function, torch.float32, 2)


def mul():
    return all_dtypes(torch.mul)


def div():
    return all_dtypes(torch.div)


def rounded(mode):
    """Integers without those by 0, which are errors, and without the smallest by -1, at which torch's process ends if it
    rounds towards 0."""
    for dtype in FLOATS + INTEGERS:
        x, y = pairs(dtype)
        if not dtype.is_floating_point:
            y[y == 0] = 3
            x[(x == torch.iinfo(dtype).min) & (y == -1)] += mode == "trunc"
        yield binary(lambda x, y: torch.div(x, y, rounding_mode=mode), x, y)
    yield from sizes(lambda x, y: torch.div(x, y, rounding_mode=mode), torch.int32, 2)


def floor_divide():
    return rounded("floor")


def trunc_divide():
    return rounded("trunc")


def extreme(function):
    """Without two zeros of different signs, of which torch takes either."""
    for dtype in FLOATS + INTEGERS:
        x, y = pairs(dtype)
        keep = (x != 0) | (y != 0)
        yield binary(function, x[keep], y[keep])
    yield from sizes(function, torch.float32, 2)


def maximum():
    return extreme(torch.maximum)


def minimum():
    return extreme(torch.minimum)


def bits(function):
    for dtype in INTEGERS:
        yield binary(function, *pairs(dtype))
    yield from sizes(function, torch.int32, 2)


def bitwise_and():
    return bits(torch.bitwise_and)


def bitwise_or():
    return bits(torch.bitwise_or)


def bitwise_xor():
    return bits(torch.bitwise_xor)


def bitwise_not():
    for dtype in INTEGERS:
        yield unary(torch.bitwise_not, torch.cat([special(dtype), random(dtype, (70,))]))
    yield from sizes(torch.bitwise_not, torch.int32, 1)


def shift(function):
    """By 0 to all bits but one: torch does not say what is left of more."""
    for dtype in INTEGERS:
        x, y = pairs(dtype)
        yield binary(function, x, y.abs().remainder(torch.iinfo(dtype).bits).abs())
    for name, case in sizes(function, torch.int32, 2):
        case["y"] = case["y"].abs() % 32
        yield name, {**case, "out": function(case["x"], case["y"])}


def bitwise_left_shift():
    return shift(torch.bitwise_left_shift)


def bitwise_right_shift():
    return shift(torch.bitwise_right_shift)


def compare(function):
    return all_dtypes(lambda x, y: function(x, y).to(torch.uint8))


def eq():
    return compare(torch.eq)


def ne():
    return compare(torch.ne)


def lt():
    return compare(torch.lt)


def le():
    return compare(torch.le)


def gt():
    return compare(torch.gt)


def ge():
    return compare(torch.ge)


def where_():
    for dtype in FLOATS + INTEGERS:
        x, y = pairs(dtype)
        condition = torch.tensor([0, 1, 0, 255, 2], dtype=torch.uint8).repeat(len(x) // 5 + 1)[: len(x)]
        yield NAMES[dtype], {"condition": condition, "x": x, "y": y, "out": torch.where(condition.bool(), x, y)}
    for shape in SIZES:
        x, y = (random(torch.float32, shape, seed) for seed in range(2))
        case = {"condition": (x > y).to(torch.uint8), "x": x, "y": y, "out": torch.where(x > y, x, y)}
        yield f"sizes {list(shape)}", case


def cast():
    """Without floats that the integer type does not reach."""
    for dtype in FLOATS + INTEGERS:
        for to in FLOATS + INTEGERS:
            x = torch.cat([special(dtype), random(dtype, (43,)) * 0.75 if dtype.is_floating_point else random(dtype, (43,))])
            if dtype.is_floating_point and not to.is_floating_point:
                info, whole = torch.iinfo(to), x.double().trunc()
                # In f64 the largest i64 is one too many.
                x = x[(whole >= info.min) & (whole <= info.max) & (whole < 2**63)]
            like = torch.zeros(0, dtype=to)
            yield f"{NAMES[dtype]} to {NAMES[to]}", {"x": x, "like": like, "out": x.to(to)}
    for name, case in sizes(lambda x: x.to(torch.int16), torch.float32, 1):
        yield name, {**case, "like": torch.ones(4, 2, dtype=torch.int16)}


OPS = [
    gelu, gelu_tanh, silu, clamp, cast, add, sub, mul, div, floor_divide, trunc_divide, maximum, minimum, bitwise_and,
    bitwise_or, bitwise_xor, bitwise_not, bitwise_left_shift, bitwise_right_shift, eq, ne, lt, le, gt, ge, where_,
]

"""Ops that go row by row, and ops that move elements: cases of rank 2.

torch adds up in an order that depends on the machine. So what is summed here, floats included, are multiples of a
power of 2, and few enough: their sums are exact in any order, in f32. Integers wrap in any order.
softmax cannot be helped: in f32 a machine with AVX512 wrote it, and one with AVX2 is a few steps away.
"""

import torch

from common import FLOATS, INF, INTEGERS, NAMES, NAN, random, special

SIZES = [(0, 4), (3, 0), (1, 1), (5, 1), (1, 17), (9, 33)]


def shaped(dtype, sizes, seed=0):
    """The special values as far as they go, then random ones."""
    values = random(dtype, sizes, seed).flatten()
    few = min(values.numel(), special(dtype).numel())
    values[:few] = special(dtype)[:few]
    return values.reshape(sizes)


def exact(dtype, sizes, seed=0):
    """Floats of which every sum is exact in f32, or any integers."""
    if not dtype.is_floating_point:
        return shaped(dtype, sizes, seed)
    generator = torch.Generator().manual_seed(seed)
    return (torch.randint(-128, 129, sizes, generator=generator) / 8).to(dtype)


def rows_of_specials(dtype):
    """Rows in which a sum or a largest value meets what is no number, each in another place."""
    return torch.tensor([
        [NAN, 1, 2, 3, 4], [1, 2, 3, 4, NAN], [1, NAN, 3, NAN, 2], [NAN] * 5, [INF, 1, 2, 3, 4], [1, -INF, 2, 3, 4],
        [INF, 1, INF, 2, 3], [-INF] * 5, [INF, 1, 2, NAN, 3], [1, -INF, 2, NAN, 3], [INF, 1, 2, 3, -INF],
        [-0.0] * 5, [0.0] * 5, [-INF, 0, 0, -INF, -INF],
    ]).to(dtype)


def extremes(dtype):
    """A row of the largest and one of the smallest value of an integer dtype: its own sums would wrap."""
    info = torch.iinfo(dtype)
    return torch.tensor([[info.max] * 40, [info.min] * 40], dtype=dtype)


def transpose():
    for dtype in FLOATS + INTEGERS:
        for sizes in SIZES:
            x = shaped(dtype, sizes)
            yield f"{NAMES[dtype]} {sizes}", {"x": x, "out": x.t()}


def gather():
    for nth, dtype in enumerate(FLOATS + INTEGERS):
        for rows, columns, places in [(0, 4, 3), (3, 0, 0), (1, 1, 5), (9, 33, 7), (9, 33, 0)]:
            x = shaped(dtype, (rows, columns))
            # Fewer rows of places than there are of values, now and then.
            generator = torch.Generator().manual_seed(nth)
            sizes = (rows - rows // 4 * (nth % 2), places)
            index = torch.randint(0, max(columns, 1), sizes, generator=generator, dtype=[torch.int64, torch.int32][nth // 2 % 2])
            case = {"x": x, "index": index, "out": torch.gather(x, 1, index.long())}
            yield f"{NAMES[dtype]} {(rows, columns)} at {sizes}", case


def summed(function):
    for dtype in FLOATS + INTEGERS:
        for sizes in SIZES + [(1, 130)]:
            x = exact(dtype, sizes)
            yield f"{NAMES[dtype]} {sizes}", {"x": x, "out": function(x)}
        x = rows_of_specials(dtype) if dtype.is_floating_point else extremes(dtype)
        yield f"{NAMES[dtype]} special", {"x": x, "out": function(x)}


def row_sum():
    yield from summed(lambda x: x.sum(1))


def parts(x):
    """The sums of eight parts, as `sum` has them: floats are not rounded to their own dtype yet."""
    x = x.flatten()
    ends = [len(x) * part // 8 for part in range(9)]
    x = x.float() if x.dtype.is_floating_point else x
    return torch.stack([x[start:end].sum() for start, end in zip(ends, ends[1:])])


def sum_():
    yield from summed(parts)
    for shape in [(), (1,), (7,), (8,), (2, 3, 4), (1100,)]:
        x = exact(torch.bfloat16, shape)
        yield f"bf16 {shape}", {"x": x, "out": parts(x)}


def cumsum():
    yield from summed(lambda x: x.cumsum(1))


def argmax():
    for dtype in FLOATS + INTEGERS:
        for sizes in [sizes for sizes in SIZES if sizes[1] > 0]:
            x = shaped(dtype, sizes)
            yield f"{NAMES[dtype]} {sizes}", {"x": x, "out": x.argmax(1)}
        # Few different values, so that the largest is there several times.
        x = random(dtype, (8, 40)).remainder(4)
        yield f"{NAMES[dtype]} equals", {"x": x, "out": x.argmax(1)}
        if dtype.is_floating_point:
            x = rows_of_specials(dtype)
            yield f"{NAMES[dtype]} special", {"x": x, "out": x.argmax(1)}


def softmax():
    for dtype in FLOATS:
        for sizes in SIZES + [(2, 300)]:
            x = random(dtype, sizes)
            yield f"{NAMES[dtype]} {sizes}", {"x": x, "out": x.softmax(1)}
        for case, x in {
            "special": rows_of_specials(dtype),
            "far apart": torch.tensor([[1000.0, 1000.0, -1000.0], [-1000.0, -1001.0, -1002.0], [88.0, 0.0, -88.0]]),
            "largest": torch.tensor([[torch.finfo(dtype).max, -torch.finfo(dtype).max, 0.0]]),
        }.items():
            x = x.to(dtype)
            yield f"{NAMES[dtype]} {case}", {"x": x, "out": x.softmax(1)}


def centred(dtype, sizes, seed=0):
    """Rows whose mean is 0, of elements that are not near it: a mean a little off does not show in one alone."""
    rows, columns = sizes
    generator = torch.Generator().manual_seed(seed)
    half = torch.randint(8, 129, (rows, columns // 2), generator=generator) / 8
    x = torch.cat([half, -half], 1)
    if columns % 2:
        three = torch.tensor([[2.0, -1.0, -1.0]]) if columns > 1 else torch.zeros(1, 1)
        x = torch.cat([x[:, 1:columns // 2], x[:, columns // 2 + 1:], three.expand(rows, -1)], 1)
    return x[:, torch.randperm(columns, generator=generator)].to(dtype)


def layer_norm():
    for dtype in FLOATS:
        for sizes in SIZES + [(2, 256)]:
            x, weight = centred(dtype, sizes), random(dtype, sizes[1:], 1)
            # No bias, or one that cancels nothing.
            for eps, bias in [(1e-5, torch.zeros(sizes[1:])), (0.5, 64 + torch.arange(sizes[1]) % 16)]:
                yield f"{NAMES[dtype]} {sizes} eps {eps}", normed(x, weight, bias.to(dtype), eps)
        x = rows_of_specials(dtype)
        yield f"{NAMES[dtype]} special", normed(x, torch.ones(5, dtype=dtype), torch.zeros(5, dtype=dtype), 1e-5)


def normed(x, weight, bias, eps):
    out = torch.nn.functional.layer_norm(x, x.shape[1:], weight, bias, eps)
    return {"x": x, "weight": weight, "bias": bias, "eps": torch.tensor(eps), "out": out}


def top(count):
    # torch does not say in which order equal values come, so no row has any.
    for dtype in FLOATS + INTEGERS:
        for sizes in [(0, 9), (1, count), (9, 33)]:
            generator = torch.Generator().manual_seed(count)
            rows = [torch.randperm(100, generator=generator)[:sizes[1]] for _ in range(sizes[0])]
            x = (torch.stack(rows) if rows else torch.empty(sizes)).to(dtype)
            x = x / 4 - 10 if dtype.is_floating_point else x
            yield f"{NAMES[dtype]} {sizes}", {"x": x, "out": x.topk(count, 1).indices}
        x = special(dtype).unique()
        x = torch.stack([x, x.flip(0), x.roll(5)])
        yield f"{NAMES[dtype]} special", {"x": x, "out": x.topk(count, 1).indices}


def top_1():
    yield from top(1)


def top_4():
    yield from top(4)


def top_8():
    yield from top(8)


OPS = [transpose, gather, row_sum, sum_, argmax, softmax, layer_norm, cumsum, top_1, top_4, top_8]

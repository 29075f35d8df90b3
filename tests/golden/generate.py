#!/usr/bin/env python3
"""Write what torch answers, an op a file, to data/*.safetensors.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python generate.py [OP ...]

A file holds cases. The tensor `CASE/PARAMETER` is what the op's parameter of that name gets, a tensor without
dimensions where the op takes a value; `CASE/out` is torch's answer. Only what torch's CPU answers the same in every
run, on every machine, belongs here.
"""

import pathlib
import sys

import torch
from safetensors.torch import save_file

DATA = pathlib.Path(__file__).parent / "data"
FLOATS = [torch.float32, torch.float16, torch.bfloat16]
INTEGERS = [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64]
NAMES = {
    torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int8: "i8", torch.uint8: "u8",
    torch.int16: "i16", torch.int32: "i32", torch.int64: "i64",
}
NAN, INF = float("nan"), float("inf")


def special(dtype):
    """The values something is special about, of either sign."""
    if dtype.is_floating_point:
        info = torch.finfo(dtype)
        positive = [0.0, info.smallest_normal / 4, info.smallest_normal, info.eps, 0.5, 1.0, 1.5, 88.0, info.max, INF]
        return torch.tensor([NAN] + positive + [-value for value in positive], dtype=torch.float64).to(dtype)
    info = torch.iinfo(dtype)
    values = {0, 1, 2, 3, 7, info.max, info.max - 1, info.min, info.min + 1, info.max // 2}
    values |= {-1, -2, -3, -7} if info.min < 0 else set()
    return torch.tensor(sorted(values), dtype=dtype)


def random(dtype, sizes, seed=0):
    """Numbers of a few digits, either sign."""
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point:
        return (4 * torch.randn(sizes, generator=generator, dtype=torch.float32)).to(dtype)
    low = 0 if dtype == torch.uint8 else -100
    return torch.randint(low, 101, sizes, generator=generator).to(dtype)


def sample(dtype):
    """Special values, then random ones: a tensor for what goes element by element."""
    values = torch.cat([special(dtype), random(dtype, (3 * 7 * 13 - special(dtype).numel(),))])
    return values.reshape(3, 7, 13)


def relu():
    for dtype in FLOATS + INTEGERS:
        x = sample(dtype)
        yield NAMES[dtype], {"x": x, "out": torch.relu(x)}


def vector_add():
    x, y = (random(torch.float32, (5, 33), seed) for seed in range(2))
    for alpha in [0.5, -1.0, 3.0]:
        yield f"alpha {alpha}", {"x": x, "y": y, "alpha": torch.tensor(alpha), "out": x + alpha * y}


def scale():
    for factor in [0.5, -1.0, 0.0, INF, NAN]:
        x = sample(torch.float32)
        yield f"factor {factor}", {"x": x, "factor": torch.tensor(factor), "out": factor * x}


OPS = [relu, vector_add, scale]


def main(wanted):
    DATA.mkdir(exist_ok=True)
    known = {op.__name__.rstrip("_"): op for op in OPS}
    for name in wanted or known:
        # Each with memory of its own, which the format wants.
        tensors = {f"{case}/{key}": value.contiguous().clone() for case, all in known[name]() for key, value in all.items()}
        file = DATA / f"{name}.safetensors"
        save_file(tensors, file, metadata={"torch": torch.__version__})
        file.chmod(0o644)
        print(f"{name}: {len(tensors)} tensors, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])

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

import rows
from common import FLOATS, INF, INTEGERS, NAMES, NAN, random, sample

DATA = pathlib.Path(__file__).parent / "data"


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


OPS = [relu, vector_add, scale, *rows.OPS]


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

#!/usr/bin/env python3
"""Turn scikit-learn's digits.csv.gz into digits.npy: 1797 x 64 float32, C order, the label column left out.

Needs nothing but Python 3's standard library, so the file can be made again anywhere:

    pip download scikit-learn --no-deps --dest WHEELS
    unzip WHEELS/scikit_learn-*.whl 'sklearn/datasets/data/digits.csv.gz' -d WHEELS
    python3 examples/data/make_digits.py WHEELS/sklearn/datasets/data/digits.csv.gz
"""

import argparse
import csv
import gzip
import pathlib
import struct
import sys

ROWS, PIXELS, TOP = 1797, 64, 16


def read_pixels(source):
    """Every pixel of every image, row after row; anything unexpected names its line and ends the run."""
    pixels = []
    with gzip.open(source, mode="rt", newline="") as text:
        rows = list(csv.reader(text))
    if len(rows) != ROWS:
        sys.exit(f"{source}: {len(rows)} rows instead of {ROWS}; is this scikit-learn's digits.csv.gz?")
    for line, row in enumerate(rows, start=1):
        if len(row) != PIXELS + 1:
            sys.exit(f"{source}:{line}: {len(row)} columns instead of {PIXELS} pixels and a label")
        values = [float(cell) for cell in row[:PIXELS]]
        if not all(value.is_integer() and 0 <= value <= TOP for value in values):
            sys.exit(f"{source}:{line}: a pixel is not a whole number from 0 to {TOP}")
        pixels.extend(values)
    return pixels


def npy(pixels):
    """The bytes of a version 1.0 .npy file, its header padded so that the data starts at a multiple of 64."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({ROWS}, {PIXELS}), }}"
    prefix = len(b"\x93NUMPY") + 2 + 2
    padding = -(prefix + len(header) + 1) % 64
    text = (header + " " * padding + "\n").encode("ascii")
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + struct.pack(f"<{len(pixels)}f", *pixels)


def main():
    """Read the file named on the command line, write digits.npy beside this script or where --output says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=pathlib.Path, help="the path of digits.csv.gz")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).with_name("digits.npy"))
    arguments = parser.parse_args()
    try:
        data = npy(read_pixels(arguments.source))
        arguments.output.write_bytes(data)
    except (OSError, ValueError) as problem:
        sys.exit(f"{arguments.source}: {problem}")
    print(f"{arguments.output}: {ROWS} x {PIXELS} float32, {len(data)} bytes")


if __name__ == "__main__":
    main()

"""What the generators share: dtypes and values."""

import torch

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

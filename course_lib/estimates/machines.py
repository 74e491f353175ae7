"""What processors can do at best, with where each number comes from."""

from dataclasses import dataclass

from course_lib.validation.arguments import number


@dataclass(frozen=True)
class Machine:
    """Operations a second in 16 bits without sparsity, bytes a second, bytes of memory."""

    flops: float
    bandwidth: float
    memory: float | None = None

    def __post_init__(self) -> None:
        for name in ("flops", "bandwidth", "memory"):
            if name != "memory" or self.memory is not None:
                object.__setattr__(self, name, number(name, getattr(self, name), above=0))


# Dense peaks. Data sheets also print numbers with 2:4 sparsity, which are twice as large.
# A100: NVIDIA (2021), data sheet. H100, H200, B200: pytorch/torchtitan, tools/utils.py; the
# bandwidth of H200 is 4.8 in its data sheet; that of B200 is 7.67 by the driver's bus width
# (pytorch/ao, roofline_utils.py), 8.0 on paper. RTX 4090: NVIDIA (2022), "Ada GPU architecture",
# 165.2 with float32 accumulation.
MACHINES = {
    "A100 80 GB": Machine(312e12, 2.039e12, 80e9),
    "H100": Machine(989e12, 3.35e12, 80e9),
    "H200": Machine(989e12, 4.8e12, 141e9),
    "B200": Machine(2250e12, 7.67e12, 180e9),
    "RTX 4090": Machine(165.2e12, 1.008e12, 24e9),
}

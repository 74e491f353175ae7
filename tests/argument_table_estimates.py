"""The numbers that the functions of `course_lib.estimates` take, as in `argument_table`."""

from course_lib import estimates

LLAMA = {"layers": 2, "d_model": 8, "heads": 2, "d_ff": 8, "vocabulary": 9}


def released():
    return estimates.Released("toy", 1, 1, {}, 2, {}, 2, 0, layers=())


def counted(f, **settings):
    return f(estimates.ModelConfig(**LLAMA), **({"length": 3} | settings))


def step_time(**settings):
    machine = estimates.Machine(1.0, 1.0)
    return estimates.step_time(
        estimates.ModelConfig(**LLAMA), machine, **({"length": 3} | settings)
    )


ESTIMATES = [
    *(
        ("ModelConfig", lambda v, n=n: estimates.ModelConfig(**(LLAMA | {n: v})), n, "positive")
        for n in (*LLAMA, "kv_heads", "head_dim")
    ),
    *(
        (f.__name__, lambda v, f=f, n=n: counted(f, **{n: v}), n, "natural")
        for f, n in (
            (estimates.kv_cache_bytes, "length"),
            (estimates.kv_cache_bytes, "batch"),
            (estimates.flops_per_token, "length"),
        )
    ),
    ("step_time", lambda v: step_time(length=v), "length", "natural"),
    ("step_time", lambda v: step_time(batch=v), "batch", "positive"),
    ("step_time", lambda v: step_time(bytes_per_number=v), "bytes_per_number", "above 0"),
    ("Machine", lambda v: estimates.Machine(v, 1.0), "flops", "above 0"),
    ("Machine", lambda v: estimates.Machine(1.0, v), "bandwidth", "above 0"),
    *(
        ("bytes", lambda v, n=n: released().cache_bytes(**({"length": 3} | {n: v})), n, "natural")
        for n in ("length", "batch")
    ),
]  # fmt: skip

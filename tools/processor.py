"""Which processor this is: what a measured number belongs to. Standard library only."""

import os
import platform
import subprocess
import sys
from pathlib import Path


def cpuinfo(field: str) -> str:
    """A field of the first processor in Linux's list, empty where there is none."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((x.partition(":")[2].strip() for x in lines if x.startswith(field)), "")


def processor() -> str:
    """The processor's name, such as Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz."""
    if sys.platform == "darwin":
        words = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    return cpuinfo("model name") or platform.processor() or platform.machine()


def vendor() -> str:
    """Who made it: GenuineIntel, AuthenticAMD, Apple; else the architecture."""
    if sys.platform == "darwin" and platform.machine() == "arm64":
        return "Apple"
    return cpuinfo("vendor_id") or platform.machine()


def processors() -> int:
    """How many this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""Several sandboxes that are used as one."""

import queue
from collections.abc import Sequence

from grader.sandbox.sandbox import Outcome, Sandbox


class Pool:
    """Several sandboxes that look like one: each cell gets one that is free."""

    def __init__(self, sandboxes: Sequence[Sandbox]) -> None:
        self.all = sandboxes
        self.profile = sandboxes[0].profile
        # The last one back is the first to go: who has no work is never started.
        self.free: queue.LifoQueue = queue.LifoQueue()
        for sandbox in reversed(sandboxes):
            self.free.put(sandbox)

    def run(self, request: bytes, seconds: float) -> Outcome:
        """As `Sandbox.run`; waiting for a sandbox is not counted."""
        sandbox = self.free.get()
        try:
            return sandbox.run(request, seconds)
        finally:
            self.free.put(sandbox)

    def stop(self) -> None:
        """End every worker."""
        for sandbox in self.all:
            sandbox.stop()

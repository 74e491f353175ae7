"""Several sandboxes behind one door."""

import queue

from course_lib.grading.sandbox.sandbox import Outcome, Sandbox


class Pool:
    """Several sandboxes that look like one: each cell gets one that is free."""

    def __init__(self, sandboxes: list[Sandbox]) -> None:
        self.all = sandboxes
        self.profile = sandboxes[0].profile
        self.free: queue.Queue = queue.Queue()
        for sandbox in sandboxes:
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

"""How xdist hands out the tests. A file of many is a table, whose tests are short: twenty go to a
worker together. One at a time, the process that hands them out would be busier than the workers."""

from collections import Counter

from xdist.scheduler import LoadGroupScheduling

MANY, TOGETHER = 100, 20


def in_tables(names: list[str]) -> dict[str, str]:
    """For each test of a file that has many, those that go with it."""
    many = {file for file, count in Counter(map(_file, names)).items() if count > MANY}
    seen: Counter[str] = Counter()
    found = {}
    for name in names:
        if (file := _file(name)) in many:
            found[name] = f"{file} {seen[file] // TOGETHER}"
            seen[file] += 1
    return found


def _file(name: str) -> str:
    return name.partition("::")[0]


class InTables(LoadGroupScheduling):
    """`--dist loadgroup`: what has a group of its own stays with it."""

    together: dict[str, str] | None = None

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        if group != nodeid:
            return group
        if self.together is None:
            self.together = in_tables(next(iter(self.registered_collections.values())))
        return self.together.get(nodeid, nodeid)

"""What a person marks: a question that is answered in sentences."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Written:
    """One question of a notebook that is answered in words and marked by a person.

    Its points come on top of the exercise's `max_score`, which is the machine's part. `rubric` says
    line by line what earns them; it is for whoever marks. In the notebook the question is a
    markdown cell with the metadata `{"tags": ["written"], "written": NAME}`: the question stands in
    lines that begin with ">", and whatever is below them is the student's.

    Raises ValueError when the lines of the rubric, "2: names the symptom", do not add up.
    """

    name: str
    points: int
    question: str
    rubric: tuple[str, ...]

    def __post_init__(self) -> None:
        numbers = [line.partition(":")[0] for line in self.rubric]
        if not all(map(str.isdecimal, numbers)) or sum(map(int, numbers)) != self.points:
            raise ValueError(
                f"the rubric of {self.name!r} gives {numbers}, which must be points that sum to "
                f"{self.points}; begin each line with its points, as in '2: names the symptom'"
            )

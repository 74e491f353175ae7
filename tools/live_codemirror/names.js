// What book/_ext/live/js/colours.js takes of CodeMirror; tools/live.py makes one script of it.
export { Decoration, EditorView, ViewPlugin, keymap } from "@codemirror/view";
export { EditorSelection, EditorState } from "@codemirror/state";
export { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
export {
  indentOnInput, indentService, indentUnit, syntaxHighlighting, syntaxTree,
} from "@codemirror/language";
export { pythonLanguage } from "@codemirror/lang-python";
export { tagHighlighter, tags } from "@lezer/highlight";

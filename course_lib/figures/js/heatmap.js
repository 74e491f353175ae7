// A map of attention: point at a cell, or move through it with the arrow keys. Where its state has a
// `view`, the map may also be two sentences with lines between their words.
const inLines = ({ view }) => view === "lines";

export default {
  render(view) {
    const full = (all) => ({ ...all, state: { ...all.state, column: all.state.column ?? 0 } });
    const both = view.model.get("state").view;
    return stage(view, {
      controls: both ? [lookedAt()] : [],
      draw: ({ data, state, width, height }) =>
        inLines(state)
          ? lines({ ...data, width: Math.min(width, 640), height, focus: state })
          : [
              heat({ ...data, y: 20, width, height: height - 24, focus: full({ state }).state }),
              words(0, 14, _("query / target ↓   key / source →"), { class: "attn-muted" }),
            ],
      say({ data, state }) {
        const { row } = state;
        const column = state.column ?? data.weights[row].indexOf(Math.max(...data.weights[row]));
        return sayRow(data.weights, data, { row, column });
      },
      paper: { role: "application", tabindex: 0 },
      on: {
        keydown: (event, all) => (inLines(all.state) ? lineKeys : mapListeners.keydown)(event, full(all)),
        pointermove: (event, all) => (inLines(all.state) ? pickWord : mapListeners.pointermove)(event, all),
        pointerdown: (event, all) => (inLines(all.state) ? pickWord : mapListeners.pointerdown)(event, all),
      },
    });
  },
};

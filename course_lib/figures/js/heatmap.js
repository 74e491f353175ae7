// A map of attention: point at a cell, or move through it with the arrow keys.
export default {
  render: (view) =>
    stage(view, {
      draw: ({ data, state, width, height }) => [
        heat({ ...data, y: 20, width, height: height - 24, focus: state }),
        words(0, 14, _("query / target ↓   key / source →"), { class: "attn-muted" }),
      ],
      say: ({ data, state }) => sayRow(data.weights, data, state),
      paper: { role: "application", tabindex: 0 },
      on: mapListeners,
    }),
};

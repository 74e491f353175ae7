// Shares that are worked over again and again: the map of each round, and a slider for the round.
function draw({ data, state, width, height }) {
  const weights = data.tables[state.at];
  return [
    heat({ ...data, weights, y: 20, width: Math.min(width, 420), height: height - 24 }),
    words(0, 14, _("after {round} rounds", { round: data.rounds[state.at] }), {
      class: "attn-strong",
    }),
  ];
}

function say({ data, state }) {
  const most = data.rows.map((row, i) => {
    const shares = data.tables[state.at][i];
    const top = Math.max(...shares);
    return _("{row} → {column} {share}", {
      row,
      column: data.columns[shares.indexOf(top)],
      share: number(top, 2),
    });
  });
  return _("After {round} rounds: {most}.", {
    round: data.rounds[state.at],
    most: most.join(", "),
  });
}

export default {
  render(view) {
    const { rounds } = view.model.get("data");
    const last = rounds.length - 1;
    const text = (at) => String(rounds[at]);
    return stage(view, {
      draw,
      say,
      controls: [
        range("at", _("rounds"), { min: 0, max: last, step: 1, text }),
        play("at", last, 700),
      ],
    });
  },
};

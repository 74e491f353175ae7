// One sentence on its way through a block: a step shows what it reads, and below it what it makes.
const ROW = 22;
const HEAD = 30; // room for a matrix's name

function table({ name, values }, { words: rows, top, width, last }) {
  const left = room(rows, width * 0.3);
  const wide = Math.min(64, (width - left - 4) / values[0].length);
  const most = Math.max(0.01, ...values.flat().map(Math.abs));
  const cells = values.map((row, t) => [
    words(left - 8, top + HEAD + ROW * t + 15, cut(rows[t], left - 8), { anchor: "end" }),
    row.map((value, i) => [
      svg("rect", {
        class: "attn-cell",
        style: `--w: ${(0.9 * Math.abs(value)) / most}`,
        x: left + wide * i,
        y: top + HEAD + ROW * t,
        width: wide,
        height: ROW,
      }),
      words(left + wide * (i + 0.5), top + HEAD + ROW * t + 15, number(value, 2), MIDDLE),
    ]),
  ]);
  const frame = { x: left, y: top + HEAD, width: wide * values[0].length, height: ROW * rows.length };
  return [
    words(0, top + HEAD - 9, name, { class: last ? "attn-strong" : "attn-muted" }),
    cells,
    last && svg("rect", { class: "attn-frame", ...frame }),
  ];
}

function draw({ data, state, width }) {
  const { matrices } = data.stages[state.step];
  const high = HEAD + ROW * data.words.length;
  return matrices.map((matrix, i) =>
    table(matrix, { words: data.words, top: high * i, width, last: i === matrices.length - 1 }),
  );
}

const say = ({ data, state }) =>
  `${data.stages[state.step].title}. ${data.stages[state.step].says}`;

export default {
  render(view) {
    const last = view.model.get("data").stages.length - 1;
    return stage(view, {
      draw,
      say,
      controls: [
        steps("step", last, (now, end) => `step ${now + 1} of ${end + 1}`),
        play("step", last, 2500),
      ],
    });
  },
};

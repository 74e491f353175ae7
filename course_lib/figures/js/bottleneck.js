// The bottleneck filling: a sentence grows, the state does not; what can be read off the state.
const ROW = 19;

function draw({ data, state, width, height }) {
  const shares = data.shares[state.network][state.step];
  const left = room(data.words, width * 0.3);
  const length = width - left - 40;
  const rows = data.words.map((word, i) => {
    const y = 30 + ROW * i;
    const read = i <= state.step;
    const newest = i === state.step;
    const kind = read ? (newest ? "attn-strong" : "attn-label") : "attn-muted";
    const tick = left + length * data.chance[i];
    return [
      words(0, y + 13, cut(word, left - 6), { class: kind }),
      svg("rect", {
        class: newest ? "attn-frame" : "attn-hidden",
        x: left,
        y: y + 1,
        width: length,
        height: ROW - 4,
      }),
      read &&
        svg("rect", {
          class: "attn-bar",
          x: left,
          y: y + 1,
          width: Math.max(1, length * shares[i]),
          height: ROW - 4,
        }),
      read && svg("line", { class: "attn-level", x1: tick, x2: tick, y1: y, y2: y + ROW - 2 }),
      read && words(left + length + 6, y + 13, number(shares[i], 2)),
    ];
  });
  const head = words(left, 16, `${data.size} numbers hold …`, { class: "attn-muted" });
  return [head, rows];
}

function say({ data, state }) {
  const shares = data.shares[state.network][state.step];
  const read = state.step + 1;
  const total = shares.slice(0, read).reduce((a, b) => a + b, 0);
  return (
    `${data.names[state.network]}, ${read} ${read === 1 ? "word" : "words"} read: ` +
    `on average ${number(total, 1)} of ${read} can be read off the state. ` +
    `Word 1 in ${number(100 * shares[0], 0)} % of sentences, ` +
    `the newest in ${number(100 * shares[read - 1], 0)} %.`
  );
}

export default {
  render(view) {
    const { words: all, names } = view.model.get("data");
    const last = all.length - 1;
    return stage(view, {
      draw,
      say,
      controls: [
        steps("step", last, (now, end) => `word ${now + 1} of ${end + 1}`),
        play("step", last, 700),
        choice("network", "network", names.map((name, i) => [i, name])),
      ],
    });
  },
};

// A key/value cache that grows: the prompt at once, then a row for each word that is written.
const ROW = 20; // pixels of a word's row

const last = ({ words }, { prompt }) => words.length - prompt;
const now = (data, state) => Math.min(state.step, last(data, state));
const triangle = (n) => (n * (n + 1)) / 2;

function draw({ data, state, width }) {
  const step = now(data, state);
  const kept = state.prompt + step;
  const left = room(data.words, width * 0.3);
  const wide = (width - left - 122) / 2;
  const columns = ["key", "value"].map((name, i) => [name, left + i * (wide + 6)]);
  const rows = data.words.map((word, i) => {
    const y = 24 + ROW * i;
    const fresh = i < kept && (step === 0 || i === kept - 1);
    const kind = i >= kept ? "attn-hidden" : fresh ? "attn-bar attn-warm" : "attn-bar";
    const told = i >= kept ? "" : fresh ? `new, ${i + 1} score${i ? "s" : ""}` : "kept";
    return [
      words(0, y + 13, cut(word, left - 6), { class: i < kept ? "attn-label" : "attn-muted" }),
      columns.map(([, x]) => svg("rect", { class: kind, x, y, width: wide, height: ROW - 4 })),
      words(left + 2 * wide + 14, y + 13, told, { class: fresh ? "attn-strong" : "attn-muted" }),
    ];
  });
  return [columns.map(([name, x]) => words(x, 16, name, { class: "attn-muted" })), rows];
}

function say({ data, state }) {
  const step = now(data, state);
  const kept = state.prompt + step;
  const again = triangle(kept) - triangle(state.prompt - 1); // prompt + (prompt + 1) + … + kept
  const bytes = `${number((kept * data.bytes) / 1e6, 1)} MB`;
  const does =
    step === 0
      ? `Prefill: ${kept} words pass side by side, ${triangle(kept)} scores.`
      : `Decode: 1 word passes and reads ${kept - 1} kept rows, ${kept} scores.`;
  return (
    `${does} Kept: ${kept} keys and ${kept} values, ${bytes}. ` +
    `Rows computed so far: ${kept}; without a cache it would be ${again}.`
  );
}

export default {
  render(view) {
    const data = view.model.get("data");
    const end = (state) => last(data, state);
    return stage(view, {
      draw,
      say,
      controls: [
        steps("step", end, (at) => (at === 0 ? "prefill" : `decode, word ${at}`)),
        play("step", end, 900),
        range("prompt", "prompt", {
          min: 1,
          max: data.words.length - 1,
          step: 1,
          text: (n) => `${n} word${n > 1 ? "s" : ""}`,
        }),
      ],
    });
  },
};

// Heads that share: which head of queries reads which head of keys, and what the cache holds.
const called = ({ latent }, kv) =>
  kv === 0 ? `one latent of ${latent} numbers` : `${kv} head${kv > 1 ? "s" : ""} of keys and values`;
const commas = (n) => n.toLocaleString("en-US");

function draw({ data, state, width }) {
  const [kv, bytes] = data.kinds[state.kind];
  const groups = Math.max(1, kv);
  const [one, many] = [width / data.heads, width / groups];
  const queries = Array.from({ length: data.heads }, (_, i) => [
    svg("line", {
      class: "attn-link",
      x1: one * (i + 0.5),
      y1: 42,
      x2: many * (Math.floor((i * groups) / data.heads) + 0.5),
      y2: 74,
    }),
    svg("rect", { class: "attn-bar", x: one * i + 1, y: 22, width: one - 2, height: 20 }),
  ]);
  const keys = Array.from({ length: groups }, (_, i) => {
    const inset = kv === 0 ? width * 0.2 : 1.5;
    const wide = many - 2 * inset;
    return svg("rect", { class: "attn-bar attn-warm", x: many * i + inset, y: 74, width: wide, height: 22 });
  });
  const held = bytes * data.lengths[state.length];
  const share = Math.min(1, held / data.room);
  const bar = { x: 0, y: 152, height: 18 };
  return [
    words(0, 14, `${data.heads} heads of queries`, { class: "attn-muted" }),
    queries,
    keys,
    words(0, 114, called(data, kv), { class: "attn-strong" }),
    words(0, 144, `cache of one text, of ${number(data.room / 1e9, 0)} GB free`, { class: "attn-muted" }),
    svg("rect", { class: "attn-hidden", ...bar, width: width - 1 }),
    svg("rect", { class: "attn-bar", ...bar, width: Math.max(1, (width - 1) * share) }),
  ];
}

function say({ data, state }) {
  const [kv, bytes] = data.kinds[state.kind];
  const length = data.lengths[state.length];
  const held = bytes * length;
  const fit = Math.floor(data.room / held);
  const share = data.heads / kv;
  const each = kv === 0 ? "all heads read it" : share === 1 ? "none is shared" : `${share} share each`;
  return (
    `${called(data, kv)}, ${each}: ${commas(bytes)} bytes per token. ` +
    `A text of ${commas(length)} tokens takes ${number(held / 1e9, 2)} GB; ` +
    `${fit === 0 ? "not one fits" : `${commas(fit)} fit${fit === 1 ? "s" : ""}`} beside the weights.`
  );
}

export default {
  render(view) {
    const data = view.model.get("data");
    const { kinds, lengths } = data;
    const slide = (last) => ({ min: 0, max: last, step: 1 });
    return stage(view, {
      draw,
      say,
      controls: [
        range("kind", "heads of keys", {
          ...slide(kinds.length - 1),
          text: (i) => (kinds[i][0] === 0 ? "latent" : String(kinds[i][0])),
        }),
        range("length", "tokens", { ...slide(lengths.length - 1), text: (i) => commas(lengths[i]) }),
      ],
    });
  },
};

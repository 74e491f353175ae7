// Encoder (square boxes), attention (an oval) and decoder (rounded boxes), event by event.
const TALL = 42; // a box with two lines
const lower = (letter, n) => letter + String(n).replace(/./g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
const [STRONG, MUTED] = [{ class: "attn-strong" }, { class: "attn-muted" }];
const LAST = "W_o, then softmax"; // of the last row, above the bars
const CENTRE = { anchor: "middle", class: "attn-strong" };

/** The end of a text that is longer than the figure is wide. */
const tail = (text, width) => {
  const fits = Math.floor(width / 8.2);
  return text.length <= fits ? text : `… ${text.slice(2 - fits)}`;
};

/** A part of the translator: dashed until it is reached, thick while something happens in it. */
function box(kind, { x, y, wide, high = TALL, round = 0, reached = true, now = false }, lines) {
  const style = reached ? `attn-part attn-${kind}${now ? " attn-now" : ""}` : "attn-block";
  const at = { x: x - wide / 2, y, width: wide, height: high, rx: round };
  return [
    svg("rect", { class: style, ...at }),
    reached &&
      lines.map((line, i) =>
        words(x, y + 17 + 17 * i, cut(line, wide + 8), i ? MIDDLE : CENTRE),
      ),
  ];
}

/** The name of a part, at the right. */
const name = (part, y, width) =>
  words(width - 10, y, part, { anchor: "end", class: "attn-strong" });

const line = (kind, d, width = 2) =>
  svg("path", { class: `attn-line attn-${kind}`, d, "stroke-width": width });

function encoder({ data, frame, middle, wide, width }) {
  const gap = Math.min(wide - 10, 130);
  return [
    name("encoder", 12, width),
    data.source.map((word, j) => {
      const now = frame.on === "encoder" && j === frame.read - 1;
      const place = { x: middle(j), y: 38, wide: gap, reached: j < frame.read, now };
      const [from, to] = [middle(j) + gap / 2, middle(j + 1) - gap / 2];
      return [
        words(middle(j), 31, cut(word, wide + 4), { anchor: "middle" }),
        data.hands && j + 1 < frame.read && line("encoder", `M${from} 59H${to}`),
        box("encoder", place, [lower("h", j + 1), gap < 60 ? "" : data.states[j]]),
      ];
    }),
    data.hands && handOver({ data, frame, right: middle(data.source.length - 1), width }),
  ];
}

/** From the last state of the encoder round the attention to the first of the decoder. */
function handOver({ data, frame, right, width }) {
  const y = data.at.decoder - 4;
  const way = data.looks ? `M${right} 80V86H${width - 2}V${y}` : `M${right} 80V${y}`;
  const now = frame.on === "hand";
  return [
    line(`encoder${now ? " attn-now" : " attn-thin"}`, `${way}H${40}V${y + 24}`, now ? 4 : 1),
    words(70, y + 16, "hand-over", { class: now ? "attn-strong" : "attn-muted" }),
  ];
}

function attention({ data, frame, middle, width, state }) {
  const top = data.at.attention;
  const now = frame.on === "attention";
  const asks = now && frame.chips.length > 0 && frame.links.length === 0;
  const wide = Math.min(150, width * 0.45);
  const oval = { x: width / 2, y: top + 54, wide, high: 26, round: 13, reached: frame.context };
  return [
    data.source.map((_, j) => [
      line("context", `M${middle(j)} 80V${top + 24}L${width / 2} ${top + 54}`, 0.5 + 9 * (frame.links[j] ?? 0)),
      asks && line("decoder", `M${state} ${data.at.decoder + 20}L${middle(j)} ${top + 22}`, 1.5),
    ]),
    frame.chips.map((chip, j) => {
      const long = 8 + 6.5 * chip.length;
      return [
        svg("rect", { class: "attn-chip", x: middle(j) - long / 2, y: top + 4, width: long, height: 20 }),
        words(middle(j), top + 18, chip, MIDDLE),
      ];
    }),
    name("attention", top + 84, width),
    box("context", { ...oval, now: now && frame.context !== "" }, [frame.context]),
  ];
}

function decoder({ data, frame, wide, width, state }) {
  const y = data.at.decoder + 20;
  const middle = y + TALL / 2;
  const started = frame.state[0] !== "s₀" || frame.on === "hand";
  const word = { x: width - wide / 2 - 2, y, wide, round: 9, reached: frame.word !== "" };
  return [
    name("decoder", data.at.decoder + 13, width),
    data.writes && frame.word && line("decoder", `M${state + wide / 2} ${middle}H${width - wide - 2}`),
    data.writes && frame.context && line("context", `M${width / 2} ${data.at.decoder - 12}V${middle}`),
    box("decoder", { x: state, y, wide, round: 9, reached: started, now: frame.on === "decoder" }, frame.state),
    data.writes && box("decoder", { ...word, now: frame.on === "word" }, [frame.word, "is written"]),
    frame.fed && words(0, y + TALL + 15, `reads ${frame.fed}`, { class: "attn-muted" }),
  ];
}

function output({ data, frame, width }) {
  const labels = frame.bars.map(([word]) => word);
  const left = labels.length ? room(labels, width * 0.3) : 0;
  return [
    data.writes && words(0, data.at.written + 18, tail(`written: ${frame.written}`, width), STRONG),
    data.rows.map((row, i) => [
      words(0, data.at.rows + 15 + 22 * i, row, frame.rows[i] || frame.bars[0] ? STRONG : MUTED),
      words(74, data.at.rows + 15 + 22 * i, frame.rows[i]?.[1] ?? (frame.bars[0] ? LAST : "")),
    ]),
    frame.bars.map(([word, score, p], i) => {
      const y = data.at.bars + 22 * i;
      const long = Math.max(1, (width - left - 100) * p);
      const chosen = word === frame.word;
      return [
        words(0, y + 15, cut(word, left), { class: chosen ? "attn-strong" : "attn-label" }),
        words(left + 44, y + 15, score, { anchor: "end", class: "attn-small" }),
        svg("rect", { class: "attn-fill attn-decoder", x: left + 52, y: y + 2, width: long, height: 17 }),
        words(left + 57 + long, y + 15, number(p, 2)),
      ];
    }),
  ];
}

function draw({ data, state, width }) {
  const frame = data.frames[state.event];
  const each = width / data.source.length;
  const middle = (j) => each * (j + 0.5);
  const wide = Math.min(150, width * 0.3); // of a box of the decoder
  const size = { y: data.at.map + 24, width: Math.min(width, 480), height: 66 + 22 * data.target.length };
  return [
    encoder({ data, frame, middle, wide: each, width }),
    data.looks && attention({ data, frame, middle, width, state: wide / 2 + 2 }),
    decoder({ data, frame, wide, width, state: wide / 2 + 2 }),
    output({ data, frame, width }),
    data.weights.length > 0 && [
      words(0, data.at.map + 20, "query / target ↓   key / source →", MUTED),
      svg("g", { style: "--accent: var(--green)" }, heat({
        ...size,
        weights: data.weights,
        rows: data.target,
        columns: data.source,
        shown: (row) => row < frame.kept,
      })),
    ],
  ];
}

const say = ({ data, state }) => data.frames[state.event].says;

export default {
  render(view) {
    const last = view.model.get("data").frames.length - 1;
    return stage(view, {
      draw,
      say,
      controls: [
        steps("event", last, (now, end) => `event ${now + 1} of ${end + 1}`),
        play("event", last, 1200),
      ],
    });
  },
};

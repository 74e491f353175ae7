// What a model wrote of a recording, piece by piece over time: click a piece and hear its stretch.
const SOUND = { top: 22, height: 52 };
const GAP = 30; // between the sound and the first piece
const ROW = 24;
const BEAT = 60; // milliseconds between two places of the moving line

const written = (data, { task }) => data.written[task];

function places({ seconds }, width, pieces) {
  const left = room(pieces, width * 0.3);
  return { left, x: (time) => left + ((width - left - 8) * time) / seconds };
}

/** An area over [0, 1, …] steps of `step` seconds, from a base line up by value × high. */
function area(values, { x, step, base, high }) {
  const points = values.map((value, i) => `L${x((i + 0.5) * step).toFixed(1)} ${(base - value * high).toFixed(1)}`);
  return `M${x(0).toFixed(1)} ${base}${points.join("")}L${x(values.length * step).toFixed(1)} ${base}Z`;
}

function draw({ data, state, width, height }) {
  const { pieces, weights, spans } = written(data, state);
  const { left, x } = places(data, width, pieces);
  const middle = SOUND.top + SOUND.height / 2;
  const wave = data.loudness
    .map((value, i) => {
      const at = x((i + 0.5) * data.step).toFixed(1);
      return `M${at} ${(middle - (value * SOUND.height) / 2).toFixed(1)}V${(middle + (value * SOUND.height) / 2 + 0.5).toFixed(1)}`;
    })
    .join("");
  const first = SOUND.top + SOUND.height + GAP;
  const [from, to] = spans[state.row];
  const seconds = Array.from({ length: Math.floor(data.seconds) + 1 }, (_none, i) => i);
  return [
    words(0, 14, _("the sound"), { class: "attn-muted" }),
    svg("rect", { class: "attn-frame", x: x(from), y: SOUND.top, width: Math.max(3, x(to) - x(from)), height: SOUND.height }),
    svg("path", { class: "attn-wave", d: wave }),
    seconds.map((second) => words(x(second), SOUND.top + SOUND.height + 14, `${second} s`, MIDDLE)),
    pieces.map((piece, i) => {
      const base = first + ROW * (i + 1) - 4;
      const now = i === state.row;
      return [
        svg("path", { class: "attn-axis", d: `M${left} ${base}H${width - 8}` }),
        svg("path", {
          class: now ? "attn-heard attn-warm" : "attn-heard",
          d: area(weights[i], { x, step: data.step, base, high: ROW - 6 }),
        }),
        words(left - 6, base - 2, cut(piece, left - 6), { anchor: "end", class: now ? "attn-strong" : "attn-label" }),
        svg("rect", { class: "attn-grip", x: 0, y: base - ROW + 4, width, height: ROW, "data-row": i }),
      ];
    }),
    state.at >= 0 && svg("path", { class: "attn-level", d: `M${x(state.at)} ${SOUND.top}V${height - 4}` }),
  ];
}

function say({ data, state }) {
  const { pieces, spans, peaks, tallest } = written(data, state);
  const [from, to] = spans[state.row];
  return _("It wrote “{piece}” while it looked most at {peak} s (weight {weight}); its stretch of sound is {from} to {to} s.", {
    piece: pieces[state.row].trim(),
    peak: number(peaks[state.row], 2),
    weight: number(tallest[state.row], 2),
    from: number(from, 2),
    to: number(to, 2),
  });
}

/** What plays [from, to) of the recording, and tells where it is. One sound at a time, after a click. */
function player(source, told) {
  let sound;
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    sound?.pause();
    told(-1);
  };
  return {
    stop,
    playing: () => timer !== 0,
    play(from, to) {
      stop();
      sound ??= new Audio(source);
      sound.currentTime = from;
      sound.play().catch(() => stop()); // a browser may refuse sound; the map stays
      told(from); // a short piece may end before the first beat
      timer = setInterval(() => {
        if (sound.ended || sound.currentTime >= to) stop();
        else told(sound.currentTime);
      }, BEAT);
    },
  };
}

export default {
  render(view) {
    const { model } = view;
    const data = model.get("data");
    const set = (patch) => {
      model.set("state", { ...model.get("state"), ...patch });
      model.save_changes();
    };
    const last = (state) => written(data, state).pieces.length - 1;
    const sound = player(data.sound, (at) => {
      const state = model.get("state");
      const { peaks } = written(data, state);
      // While all of it plays, the piece whose place was passed last is the one shown.
      const passed = peaks.reduce((best, peak, i) => (peak <= at && peak >= (peaks[best] ?? 0) ? i : best), 0);
      set(state.all && at >= 0 ? { at, row: passed } : { at });
    });
    const piece = (state) => written(data, state).spans[state.row];
    const choose = (row) => {
      set({ row, all: false });
      sound.play(...piece(model.get("state")));
    };
    const hear = (text, all) => {
      const button = html("button", { type: "button" }, text);
      return {
        node: html("div", { class: "attn-control" }, button),
        listen: () =>
          button.addEventListener("click", () => {
            if (sound.playing()) return sound.stop();
            set({ all });
            sound.play(...(all ? [0, data.seconds] : piece(model.get("state"))));
          }),
        show() {},
        rest: sound.stop,
      };
    };
    const tasks = Object.keys(data.written).map((name) => [name, name]);
    const drop = stage(view, {
      draw,
      say,
      paper: { role: "application", tabindex: 0 },
      controls: [
        hear(_("Hear all"), true),
        hear(_("Hear this piece"), false),
        steps("row", last, (row, end) => _("piece {row} of {all}", { row: row + 1, all: end + 1 })),
        ...(tasks.length > 1 ? [choice("task", _("It writes"), tasks, { row: 0, at: -1 })] : []),
      ],
      on: {
        click(event) {
          const row = event.target.closest("[data-row]");
          if (row) choose(Number(row.dataset.row));
        },
        keydown(event, { state }) {
          const moves = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
          if (event.key in moves) {
            event.preventDefault();
            set({ row: Math.min(last(state), Math.max(0, state.row + moves[event.key])), all: false });
          } else if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            choose(state.row);
          }
        },
      },
    });
    return () => {
      sound.stop();
      drop?.();
    };
  },
};

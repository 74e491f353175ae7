// Maps of weights, which several figures draw and move through. It stands behind common.js.

/** Where a map's cells stand in a box of pixels: their corner, their size, labels upright or not. */
function grid({ rows, columns, x = 0, y = 0, width, height }) {
  const left = x + room(rows, width * 0.3);
  const upright = room(columns, 999) <= (x + width - left) / columns.length;
  const top = y + (upright ? 24 : 66);
  const wide = (x + width - left - (upright ? 2 : 26)) / columns.length; // turned labels lean out
  return { left, top, wide, high: (y + height - top) / rows.length, upright };
}

/**
 * A map of weights in such a box: rows are queries, columns are keys, heavier is darker.
 * `focus` { row, column } is framed; `shown(row, column)` leaves cells empty, and a weight below `least`
 * has no number.
 */
function heat({ weights, focus, shown = () => true, least = 0.005, ...box }) {
  const { rows, columns, x = 0 } = box;
  const { left, top, wide, high, upright } = grid(box);
  const frame = (at) => svg("rect", { class: "attn-frame", ...at });
  const labels = (names, kind, at) =>
    names.map((name, i) => {
      const strong = focus && i === focus[kind];
      return at(name, i, strong ? "attn-strong" : "attn-label");
    });
  const cell = (row, column) => {
    const weight = weights[row][column];
    const [cx, cy] = [left + wide * column, top + high * row];
    const percent = String(Math.round(weight * 100));
    const fits = wide >= 32 ? number(weight, 2) : wide >= 8 * percent.length && percent;
    const at = { x: cx, y: cy, width: wide, height: high, "data-row": row, "data-column": column };
    if (!shown(row, column)) return svg("rect", { class: "attn-hidden", ...at });
    return [
      svg("rect", { class: "attn-cell", style: `--w: ${weight}`, ...at }),
      fits && weight >= least && words(cx + wide / 2, cy + high / 2 + 4, fits, MIDDLE),
    ];
  };
  return [
    labels(rows, "row", (name, i, kind) =>
      words(left - 6, top + high * (i + 0.5) + 4, cut(name, left - x - 6), {
        anchor: "end",
        class: kind,
      }),
    ),
    labels(columns, "column", (name, i, kind) => {
      const middle = left + wide * (i + 0.5);
      if (upright) return words(middle, top - 8, name, { ...MIDDLE, class: kind });
      const turn = `rotate(-60 ${middle + 4} ${top - 6})`;
      return words(middle + 4, top - 6, cut(name, 62), { class: kind, transform: turn });
    }),
    rows.map((_, row) => columns.map((_, column) => cell(row, column))),
    focus && [
      frame({ x: left, y: top + high * focus.row, width: wide * columns.length, height: high }),
      frame({ x: left + wide * focus.column, y: top, width: wide, height: high * rows.length }),
    ],
  ];
}

/** What focuses a cell of a map: the pointer over it, and the arrow keys. */
const mapListeners = {
  keydown(event, { data, state, set }) {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const [down, right] = moves[event.key];
    const within = (i, count) => Math.min(count - 1, Math.max(0, i));
    const row = within(state.row + down, data.rows.length);
    set({ row, column: within(state.column + right, data.columns.length) });
  },
  pointermove: (event, all) => focusCell(event, all),
  pointerdown: (event, all) => focusCell(event, all),
};

function focusCell(event, { state, set }) {
  const cell = event.target.closest("[data-row]");
  if (!cell) return;
  const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
  if (row !== state.row || column !== state.column) set({ row, column });
}

/** A row of a map in words. */
function sayRow(weights, { rows, columns }, { row, column }) {
  const pairs = weights[row].map((weight, i) => [weight, i]);
  const order = pairs.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const seen = order.slice(0, 2).filter(([weight], i) => i === 0 || weight >= 0.005);
  const most = seen.map(([weight, i]) =>
    _("“{word}” ({weight})", { word: columns[i], weight: number(weight, 2) }),
  );
  const then = _(", then at ");
  return _("“{row}” gives “{column}” the weight {weight}. It looks most at {most}.", {
    row: rows[row],
    column: columns[column],
    weight: number(weights[row][column]),
    most: most.join(then),
  });
}

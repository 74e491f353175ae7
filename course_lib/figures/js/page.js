// What makes a figure's module a custom element of a page without a kernel.

/** What a module asks of a model, over plain data. */
function pageModel(values) {
  const listeners = [];
  return {
    get: (name) => values[name],
    set(name, value) {
      values[name] = value;
      for (const [event, listener] of listeners) if (event === `change:${name}`) listener();
    },
    on: (event, listener) => listeners.push([event, listener]),
    save_changes() {},
  };
}

// A reader may also come to a figure by keyboard, so the first key starts them all.
const near = new IntersectionObserver(
  (seen) => seen.forEach(({ isIntersecting, target }) => isIntersecting && target.start()),
  { rootMargin: "100%" },
);

/**
 * <attn-NAME> draws the figure from the JSON that it holds, in the place of its still picture, when
 * it is at most a screen away.
 */
function define(name, figure) {
  customElements.define(
    name,
    class extends HTMLElement {
      connectedCallback() {
        near.observe(this);
        addEventListener("keydown", () => this.start(), { once: true, capture: true });
      }

      start() {
        near.unobserve(this);
        const source = this.querySelector('script[type="application/json"]');
        if (source) figure.render({ model: pageModel(JSON.parse(source.textContent)), el: this });
      }
    },
  );
}

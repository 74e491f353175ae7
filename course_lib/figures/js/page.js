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

/** What a figure holds that has a script of its own, which is loaded first. */
function held(source, base) {
  const name = source.dataset.from;
  if (globalThis.attnHeld?.[name]) return Promise.resolve(globalThis.attnHeld[name]);
  return new Promise((done, failed) => {
    const script = html("script", { src: `${base}held/${name}.js` });
    script.addEventListener("load", () => done(globalThis.attnHeld[name]));
    script.addEventListener("error", () => failed(new Error(`${script.src} is not there.`)));
    document.head.append(script);
  });
}

/**
 * <attn-NAME> draws the figure from the JSON that it holds, in the place of its still picture, when
 * it is at most a screen away.
 */
function define(name, figure) {
  const base = document.currentScript?.src.replace(/[^/]*$/, "");
  customElements.define(
    name,
    class extends HTMLElement {
      connectedCallback() {
        near.observe(this);
        addEventListener("keydown", () => this.start(), { once: true, capture: true });
      }

      async start() {
        near.unobserve(this);
        const source = this.querySelector('script[type="application/json"]');
        if (!source || this.started) return;
        this.started = true;
        // With its numbers in the page it is drawn at once; without the others its picture stays.
        const values = source.dataset.from ? await held(source, base) : JSON.parse(source.textContent);
        figure.render({ model: pageModel(structuredClone(values)), el: this });
      }
    },
  );
}

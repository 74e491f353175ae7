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

/** <attn-NAME> draws the figure from the JSON that it holds, in the place of its still picture. */
function define(name, figure) {
  customElements.define(
    name,
    class extends HTMLElement {
      connectedCallback() {
        const source = this.querySelector('script[type="application/json"]');
        if (source) figure.render({ model: pageModel(JSON.parse(source.textContent)), el: this });
      }
    },
  );
}

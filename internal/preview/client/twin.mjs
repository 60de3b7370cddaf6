import { element } from './dom.mjs';
import { recall, remember } from './memory.mjs';

/** Shows the Markdown that agents read, next to the page. */
export class Twin {
  #root;
  #page;
  #panel = null;
  /** Called when the twin is shown or hidden. */
  changed = () => {};

  constructor(root, page) {
    this.#root = root;
    this.#page = page;
    if (this.there && recall('twin')) this.open();
  }

  /** Reports whether the page has a twin. */
  get there() { return Boolean(this.#page.twin); }

  get shown() { return this.#panel !== null; }

  toggle() {
    if (this.shown) this.close();
    else this.open();
  }

  open() {
    const text = element('pre', { tabindex: '0', 'aria-label': 'The page as Markdown' });
    const tokens = element('span', { class: 'quiet' });
    this.#panel = element('aside', { class: 'twin', id: 'twin', 'aria-label': 'Markdown twin', onkeydown: (event) => {
      if (event.key === 'Escape') this.close();
    } },
    element('div', { class: 'head' },
      element('h2', {}, 'Markdown twin'),
      element('a', { class: 'link mono', href: this.#page.twin }, this.#page.twin), tokens,
      element('button', { type: 'button', class: 'close', 'aria-label': 'Close the Markdown twin', title: 'Close (Esc)', onclick: () => this.close() }, '×')),
    text);
    this.#root.append(this.#panel);
    makeRoom(true);
    remember('twin', true);
    this.changed();
    void this.#load(text, tokens);
  }

  close() {
    this.#panel?.remove();
    this.#panel = null;
    makeRoom(false);
    remember('twin', false);
    this.changed();
  }

  async #load(text, tokens) {
    try {
      const answer = await fetch(this.#page.twin);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const count = answer.headers.get('X-Markdown-Tokens');
      if (count) tokens.textContent = `about ${Number(count).toLocaleString('en')} tokens`;
      text.replaceChildren(...marked(await answer.text()));
    } catch (error) {
      text.textContent = `The twin cannot be read: ${error.message}`;
    }
  }
}

/** Makes space for the twin next to the page if both fit. */
function makeRoom(shown) {
  const style = document.documentElement.style;
  if (shown && matchMedia('(min-width: 56rem)').matches) style.setProperty('margin-right', 'min(46vw, 46rem)', 'important');
  else style.removeProperty('margin-right');
}

/** Returns elements for Markdown, with headings, code, and link targets highlighted. */
function marked(text) {
  let fenced = false;
  return text.split(/(?<=\n)/).map((line) => {
    if (/^\s*(```|~~~)/.test(line)) {
      fenced = !fenced;
      return element('span', { class: 'fence' }, line);
    }
    if (fenced) return element('span', { class: 'fence' }, line);
    if (/^#{1,6} /.test(line)) return element('span', { class: 'heading' }, line);
    return element('span', {}, ...line.split(/(\]\([^)\s]*\))/).map((part) => (part.startsWith('](') ? element('span', { class: 'target' }, part) : part)));
  });
}

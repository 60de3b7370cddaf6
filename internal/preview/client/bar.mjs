import { counted, element } from './dom.mjs';
import { problemList } from './problems.mjs';
import { recall, remember } from './memory.mjs';
import { sourceLink, useEditor } from './source.mjs';

/** The toolbar under a page. It shows the page's source and the state of the preview. */
export class Bar {
  #twin;
  #view = null;
  #drawn = '';
  #panel = null;
  #bar = element('div', { class: 'bar' });
  #said = element('p', { class: 'said', role: 'status' });
  #section = element('aside', { class: 'dock', 'aria-label': 'Vitrine preview' }, this.#bar, this.#said);
  #folded = Boolean(recall('folded'));

  constructor(root, twin) {
    this.#twin = twin;
    twin.changed = () => this.#draw();
    this.#section.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#close();
    });
    root.append(this.#section);
  }

  show(view) {
    // Don't redraw for unchanged data: the user may be about to press a button.
    const text = JSON.stringify(view);
    if (text === this.#drawn) return;
    this.#drawn = text;
    this.#view = view;
    useEditor(view, (text) => this.#say(text));
    this.#say('');
    this.#draw();
  }

  /** Shows that the preview no longer responds. */
  lost() {
    this.#drawn = '';
    this.#section.dataset.state = 'lost';
    this.#say('The preview has ended or is restarting.');
  }

  #say(text) {
    this.#said.textContent = text;
  }

  #draw() {
    if (!this.#view) return;
    const held = this.#section.getRootNode().activeElement?.dataset?.name;
    this.#section.dataset.state = this.#view.failed ? 'failed' : this.#view.problems?.some((problem) => problem.here) ? 'warned' : 'good';
    this.#section.classList.toggle('folded', this.#folded);
    this.#bar.replaceChildren(...this.#parts().filter(Boolean));
    this.#drawPanel();
    // Move the focus to the element that replaces the focused one.
    if (held) this.#bar.querySelector(`[data-name="${held}"]`)?.focus();
  }

  #parts() {
    const { page, took } = this.#view;
    const fold = element('button', {
      type: 'button', class: 'tool fold', 'data-name': 'fold', 'aria-expanded': String(!this.#folded),
      'aria-label': this.#folded ? 'Show the preview bar' : 'Hide the preview bar', onclick: () => this.#fold(),
    }, element('span', { class: 'dot', 'aria-hidden': 'true' }), element('span', { class: 'chevron', 'aria-hidden': 'true' }));
    if (this.#folded) return [fold];
    return [
      fold,
      this.#source(page),
      page.waits ? element('span', { class: 'tag' }, page.waits) : null,
      page.own && page.twin ? element('span', { class: 'words' }, counted(page.words, 'word')) : null,
      element('span', { class: 'space' }),
      element('span', { class: 'took quiet' }, `built in ${Math.max(1, Math.round(took))} ms`),
      this.#twin.there ? element('button', {
        type: 'button', class: 'tool', 'data-name': 'twin', 'aria-pressed': String(this.#twin.shown), title: 'The page as agents read it',
        onclick: () => this.#twin.toggle(),
      }, 'Markdown') : null,
      this.#counter(),
    ];
  }

  #source(page) {
    if (page.missing) return element('span', { class: 'source none' }, this.#view.build === 'none' ? 'not built yet' : 'no page at this address');
    if (!page.source) return element('span', { class: 'source none' }, 'made by the build');
    const cut = page.source.lastIndexOf('/') + 1;
    const name = [element('span', { class: 'folder' }, page.source.slice(0, cut)), element('span', {}, page.source.slice(cut))];
    if (!page.own) return element('span', { class: 'source mono', title: 'This page comes from the theme' }, ...name, element('span', { class: 'quiet' }, '\u00a0(theme)'));
    return sourceLink({ path: page.source }, { class: 'source link mono', 'data-name': 'source', 'aria-label': page.source }, ...name);
  }

  /** The button with the number of problems. */
  #counter() {
    const problems = this.#view.problems ?? [];
    const here = problems.filter((problem) => problem.here).length;
    const all = this.#view.errors + this.#view.warnings;
    if (all === 0) return element('span', { class: 'tool none' }, 'No problems');
    return element('button', {
      type: 'button', class: `tool count ${this.#view.errors > 0 ? 'error' : here > 0 ? 'warning' : ''}`, 'data-name': 'problems',
      'aria-expanded': String(this.#panel !== null), onclick: () => this.#togglePanel(),
    }, counted(here || all, 'problem'), element('span', { class: 'where' }, here > 0 ? '\u00a0here' : '\u00a0elsewhere'), here > 0 && all > here ? element('span', { class: 'quiet' }, `\u00a0of ${all}`) : null);
  }

  #togglePanel() {
    if (this.#panel) {
      this.#close();
      return;
    }
    this.#panel = element('section', { class: 'panel', 'aria-label': 'Problems', tabindex: '0' });
    this.#section.prepend(this.#panel);
    this.#draw();
  }

  #close() {
    this.#panel?.remove();
    this.#panel = null;
    this.#draw();
    this.#bar.querySelector('[data-name="problems"]')?.focus();
  }

  #drawPanel() {
    if (!this.#panel) return;
    const problems = this.#view.problems ?? [];
    if (problems.length === 0 || this.#folded) {
      this.#panel.remove();
      this.#panel = null;
      return;
    }
    const here = problems.filter((problem) => problem.here);
    const elsewhere = problems.filter((problem) => !problem.here);
    this.#panel.replaceChildren(...[
      here.length > 0 ? element('h2', {}, 'On this page') : null,
      here.length > 0 ? problemList(here) : null,
      elsewhere.length > 0 ? element('h2', {}, here.length > 0 ? 'On other pages' : 'None on this page. On others:') : null,
      elsewhere.length > 0 ? problemList(elsewhere, { excerpts: false }) : null,
    ].filter(Boolean));
  }

  #fold() {
    this.#folded = !this.#folded;
    remember('folded', this.#folded);
    this.#draw();
  }
}

import { counted, element } from './dom.mjs';
import { problemList } from './problems.mjs';

/** Shows, over the page, the problems that prevent a build, until they are fixed. */
export class Overlay {
  #dialog;
  #content = element('div', { class: 'sheet' });
  #shown = '';
  #stays = false;

  constructor(root) {
    this.#dialog = element('dialog', { class: 'overlay', 'aria-labelledby': 'overlay-title', oncancel: (event) => {
      if (this.#stays) event.preventDefault();
    } }, this.#content);
    root.append(this.#dialog);
  }

  show(view) {
    if (!view.failed) {
      this.#shown = '';
      if (this.#dialog.open) this.#dialog.close();
      return;
    }
    // If the problems are the same, don't open the overlay again: the user has read them.
    const now = JSON.stringify(view.problems);
    if (now === this.#shown) return;
    this.#shown = now;
    // If the first build failed, there is no page to return to, so the overlay can't be closed.
    this.#stays = view.build === 'none';
    this.#content.replaceChildren(...this.#sheet(view));
    // A dialog takes the focus when it opens. If it is already open, replacing its content has removed the focus.
    if (this.#dialog.open) this.#content.querySelector('h2').focus({ preventScroll: true });
    else this.#dialog.showModal();
  }

  #sheet(view) {
    const errors = view.problems.filter((problem) => problem.severity === 'error');
    const warnings = view.problems.filter((problem) => problem.severity !== 'error');
    const untold = view.errors + view.warnings - view.problems.length;
    return [
      element('div', { class: 'head' },
        element('h2', { id: 'overlay-title', tabindex: '-1', autofocus: true }, title(view)),
        element('p', {}, this.#stays ? 'The site is built as soon as this is fixed.' : 'The page behind this is the last good build. Fix it and save: this goes away by itself.'),
        this.#stays ? null : element('button', { type: 'button', class: 'close', 'aria-label': 'Close', title: 'Close (Esc)', onclick: () => this.#dialog.close() }, '×')),
      problemList(errors),
      warnings.length > 0 ? element('h3', {}, counted(view.warnings, 'warning')) : null,
      warnings.length > 0 ? problemList(warnings, { excerpts: false }) : null,
      untold > 0 ? element('p', { class: 'rest' }, `and ${counted(untold, 'further problem')}; vitrine check shows them all`) : null,
    ].filter(Boolean);
  }
}

function title(view) {
  const files = new Set(view.problems.filter((problem) => problem.severity === 'error').map((problem) => problem.path));
  if (files.has('')) return 'The site could not be built';
  return `${counted(view.errors, 'error')} in ${files.size === 1 ? [...files][0] : counted(files.size, 'file')}`;
}

import { element } from './dom.mjs';
import { shadow } from './host.mjs';

/** The links of a page: links to the site's address stay in the preview, and links to unpublished pages are marked. */
export class Links {
  #base = '';
  #number = null;
  #marks = [];

  constructor() {
    // These events fire before the browser follows or copies the link.
    for (const event of ['click', 'auxclick', 'contextmenu']) {
      document.addEventListener(event, ({ target }) => this.#keep(target.closest?.('a[href]')), true);
    }
  }

  show({ base, number }) {
    this.#base = base ?? '';
    if (number === this.#number) return;
    this.#number = number;
    void this.#mark();
  }

  #keep(link) {
    if (!this.#base || !link) return;
    const own = new URL(this.#base);
    // Outside this site's path, the host may have other sites.
    if (link.origin !== own.origin || !link.pathname.startsWith(own.pathname.replace(/\/?$/, '/'))) return;
    link.href = link.pathname + link.search + link.hash;
  }

  async #mark() {
    let waiting = {};
    try {
      waiting = await (await fetch('/.vitrine/waiting')).json();
    } catch {
      // The toolbar shows that the preview doesn't respond.
      return;
    }
    for (const mark of this.#marks) mark.remove();
    this.#marks = [];
    if (Object.keys(waiting).length === 0) return;
    const own = [location.origin, this.#base && new URL(this.#base).origin];
    for (const link of document.body.querySelectorAll('a[href]')) {
      const why = own.includes(link.origin) && link.pathname !== location.pathname && waiting[link.pathname];
      if (!why) continue;
      const { host, root } = shadow({ display: 'inline' });
      root.append(element('span', { class: 'mark' }, element('span', { class: 'tag' }, why)));
      link.after(host);
      this.#marks.push(host);
    }
  }
}

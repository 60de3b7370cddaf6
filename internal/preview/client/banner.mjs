import { element } from './dom.mjs';
import { shadow } from './host.mjs';

/** A banner above a page that a build would not publish yet. */
export class Banner {
  #host = null;

  show({ waits, due }) {
    this.#host?.remove();
    this.#host = null;
    if (!waits) return;
    const { host, root } = shadow({ display: 'block' });
    host.id = 'vitrine-preview-banner';
    root.append(waits === 'draft'
      ? banner('Draft', 'Only the preview shows this page. To publish it, remove ', element('code', {}, 'draft: true'), ' from its front matter.')
      : banner('Scheduled', `Only the preview shows this page. The first build after ${due} publishes it.`));
    document.documentElement.insertBefore(host, document.body);
    this.#host = host;
  }
}

function banner(word, ...text) {
  return element('aside', { class: 'banner', 'aria-label': 'Preview: state of this page' },
    element('strong', {}, word), ' ', element('span', {}, ...text));
}

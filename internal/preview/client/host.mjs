// The preview's own elements: in a shadow tree after the page's body, out of reach of the site's
// stylesheet and of its scripts' queries.
import text from './style.css.mjs';

const sheet = new CSSStyleSheet();
sheet.replaceSync(text);

/**
 * Makes an element with a shadow tree. It resets the site's styles for all elements; styles sets
 * its own.
 */
export function shadow(styles) {
  const host = document.createElement('vitrine-preview');
  const own = { all: 'initial', direction: 'ltr', 'unicode-bidi': 'isolate', ...styles }; // "all" leaves the direction alone.
  for (const [name, value] of Object.entries(own)) host.style.setProperty(name, value, 'important');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  return { host, root };
}

/** Puts the host of the bar behind the body and returns its shadow tree. */
export function place() {
  // The space under the page is as high as the toolbar, so that it covers no content.
  const { host, root } = shadow({ display: 'block', height: '40px' });
  host.id = 'vitrine-preview';
  document.documentElement.append(host);
  return root;
}

// The preview's own elements are in a shadow tree after the page's body, out of reach of the site's
// stylesheets and of the queries in its scripts.
import text from './style.css.mjs';

const sheet = new CSSStyleSheet();
sheet.replaceSync(text);

/**
 * Creates an element with a shadow tree. It resets the site's styles on the element and sets styles.
 */
export function shadow(styles) {
  const host = document.createElement('vitrine-preview');
  const own = { all: 'initial', direction: 'ltr', 'unicode-bidi': 'isolate', ...styles }; // "all" doesn't reset the text direction.
  for (const [name, value] of Object.entries(own)) host.style.setProperty(name, value, 'important');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  return { host, root };
}

/** Adds the toolbar's host after the body and returns its shadow tree. */
export function place() {
  // The host reserves the toolbar's height under the page, so that the toolbar doesn't cover content.
  const { host, root } = shadow({ display: 'block', height: '40px' });
  host.id = 'vitrine-preview';
  document.documentElement.append(host);
  return root;
}

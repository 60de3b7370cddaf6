import { gzipSync } from 'node:zlib';
import { count } from '../lib/findings.mjs';
import { withBrowser } from '../lib/browser.mjs';
import { missing } from '../lib/site.mjs';

/** The maximum size of the scripts that a page waits for, in gzip bytes. */
const most = 15 * 1024;

/**
 * Checks that every page is complete without JavaScript: all visible words of its main part are there without scripts, and the
 * scripts that the page waits for are small. It skips translations, which have the same layouts and scripts as their originals.
 */
export default async function whole(site, found) {
  // Skip the search page, which replaces its list with the results.
  const tags = await site.languages();
  const paths = (await site.pages()).filter((path) =>
    !path.endsWith(missing) && !path.endsWith('/search') && !tags.some((tag) => `${path}/`.startsWith(`/${tag}/`)));
  const [bare, scripted] = [await words(site, paths, false), await words(site, paths, true)];
  for (const path of paths) {
    const lost = [...scripted.get(path)].filter((word) => !bare.get(path).has(word));
    if (lost.length > 0) found.add(path, `lacks without scripts: ${lost.slice(0, 20).join(' ')}`);
  }
  let largest = 0;
  for (const path of paths) {
    const html = await site.text(path === '/' ? 'index.html' : `${path.slice(1)}.html`);
    let size = 0;
    for (const [tag, src] of html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"[^>]*>/g)) {
      if (/\b(defer|async|type="module")/.test(tag)) continue;
      size += gzipSync(Buffer.from(await (await fetch(new URL(src, site.url))).arrayBuffer())).length;
    }
    largest = Math.max(largest, size);
    if (size > most) found.add(path, `waits for ${size} bytes of scripts`);
  }
  return `${count(paths.length, 'page')} whole without scripts; they wait for ${largest} bytes of scripts at most`;
}

/** Returns the visible words of each page's main part, except on buttons. */
async function words(site, paths, javaScriptEnabled) {
  const all = new Map();
  await withBrowser(async (context) => {
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(site.url + path, { waitUntil: 'load' });
      const text = await page.locator('main').innerText();
      const buttons = javaScriptEnabled ? await page.locator('main button').allInnerTexts() : [];
      const labels = new Set(buttons.join(' ').split(/\s+/));
      all.set(path, new Set(text.split(/\s+/).filter((word) => word !== '' && !labels.has(word))));
    }
  }, { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
  return all;
}

import { count } from '../lib/findings.mjs';
import { withBrowser } from '../lib/browser.mjs';
import { missing } from '../lib/site.mjs';

/** The right-to-left languages on the audited sites. */
const fromTheRight = ['ar', 'he'];

/**
 * Checks the languages of a site. Content-Language and the direction of text match a page's language. A page's hreflang entries
 * are the same in the <head>, in the Link field of both representations, and in the sitemap. Each page that they list has the
 * correct language and lists all the others. The language switch in the header works on a phone, with the keyboard, and without
 * scripts. A site in one language has no hreflang entries.
 */
export default async function languages(site, found) {
  const tags = await site.languages();
  const own = (await (await fetch(site.url)).text()).match(/<html lang="([^"]*)"/)[1];
  const sitemap = new Map();
  for (const file of (await site.files('.xml')).filter((name) => name.startsWith('sitemap'))) {
    for (const [entry, location] of (await site.text(file)).matchAll(/<url>[^]*?<loc>([^<]*)[^]*?<\/url>/g)) sitemap.set(site.path(location), site.hreflang(entry));
  }
  const pages = new Map();
  for (const path of await site.pages()) {
    const answer = await fetch(site.url + path, { headers: { Accept: 'text/html' } });
    const html = await answer.text();
    const [, lang, dir] = html.match(/<html lang="([^"]*)"(?: dir="([^"]*)")?/);
    if (answer.headers.get('content-language') !== (tags.length > 0 ? lang : null)) found.add(path, `is in ${lang}, and Content-Language is ${answer.headers.get('content-language')}`);
    if (fromTheRight.includes(lang) !== (dir === 'rtl')) found.add(path, `is in ${lang}, and its direction is ${dir}`);
    const named = site.hreflang(html.split('</head>')[0]);
    if (path.endsWith(missing)) {
      if (named.size > 0) found.add(path, 'names languages of a page that does not exist');
      continue;
    }
    pages.set(path, { lang, named });
    const twin = await fetch(site.url + path, { headers: { Accept: 'text/markdown' } });
    await twin.text();
    for (const [place, other] of [
      ['Link of its HTML', inLink(site, answer)], ['Link of its Markdown', inLink(site, twin)], ['the sitemap', sitemap.get(path)],
    ]) {
      // An unlisted page isn't in a sitemap.
      if (other && text(other) !== text(named)) found.add(path, `the head names ${text(named)}, and ${place} ${text(other)}`);
    }
  }
  let links = 0;
  for (const [path, { lang, named }] of pages) {
    links += named.size;
    if (named.size > 0 && named.get(lang) !== path) found.add(path, `is in ${lang} but does not name itself with this language`);
    if (named.get('x-default') !== named.get(own)) found.add(path, `x-default is ${named.get('x-default')}, and ${own} is ${named.get(own)}`);
    for (const [tag, other] of named) {
      const target = pages.get(other);
      if (!target) found.add(path, `${tag} is ${other}, which does not exist`);
      else if (tag !== 'x-default' && target.lang !== tag) found.add(path, `names ${other} for ${tag}, which is in ${target.lang}`);
      else if (text(target.named) !== text(named)) found.add(path, `names ${text(named)}, and ${other} names ${text(target.named)}`);
    }
  }
  if (tags.length === 0) {
    if (links > 0) found.add('/', 'has pages in several languages but does not name them');
    return `${count(pages.size, 'page')} in ${own}, none names another language`;
  }
  await withBrowser((context) => keys(context, site, [own, ...tags], found), { javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
  return `${count(pages.size, 'page')} in ${count(tags.length + 1, 'language')} name each other ${links} times, the same in the head, Link and the sitemap; the switch needs no script`;
}

/** Returns hreflang entries as a string, in a fixed order. */
function text(named) {
  return [...named].map(([tag, path]) => `${tag} ${path}`).sort().join(', ') || 'none';
}

/** Returns the hreflang entries in a response's Link field. */
function inLink(site, answer) {
  const named = new Map();
  for (const [, address, tag] of (answer.headers.get('link') ?? '').matchAll(/<([^>]*)>[^,]*;\s*hreflang="?([^",;]*)/g)) named.set(tag, site.path(address));
  return named;
}

/** Switches from language to language in the phone menu, with only Tab and Enter. */
async function keys(context, site, tags, found) {
  const page = await context.newPage();
  for (const [i, tag] of tags.entries()) {
    const from = i === 0 ? '/' : `/${tag}`;
    const next = tags[(i + 1) % tags.length];
    await page.goto(site.url + from, { waitUntil: 'load' });
    const focused = (selector) => page.evaluate((selector) => document.activeElement.matches(selector), selector);
    const tab = async (selector) => {
      for (let n = 0; n < 40; n++) {
        await page.keyboard.press('Tab');
        if (await focused(selector)) return true;
      }
      found.add(from, `no key focuses ${selector} on a phone`);
      return false;
    };
    if (!(await tab('.burger'))) continue;
    await page.keyboard.press('Enter');
    if (!(await tab('[popovertarget="Languages-menu"]'))) continue;
    await page.keyboard.press('Enter');
    const list = page.locator('#Languages-menu');
    if (!(await list.isVisible())) found.add(from, 'the list of languages does not open');
    const box = await list.boundingBox();
    if (!box || box.x < 0 || box.x + box.width > 360) found.add(from, `the list of languages is not within a phone's screen: ${JSON.stringify(box)}`);
    if (!(await tab(`#Languages-menu a[hreflang="${next}"]`))) continue;
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    const lang = await page.locator('html').getAttribute('lang');
    if (lang !== next) found.add(from, `the switch to ${next} goes to ${page.url()}, which is in ${lang}`);
  }
}

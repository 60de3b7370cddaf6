import { examine, source } from '../lib/axe.mjs';
import { count } from '../lib/findings.mjs';
import { schemes, widths, withBrowser } from '../lib/browser.mjs';
import { missing } from '../lib/site.mjs';

/**
 * Opens pages in Chromium. For the sample, it opens one page of each kind at all widths in both color schemes, and every other
 * page at a phone's width in light colors and at a screen's width in dark colors. For other sites, it uses only these two
 * widths, and opens one page of each kind and every fifth page. For a site in several languages, it opens only one page of each
 * kind and the error page, in each additional language.
 *
 * axe must find no problem. In dark mode, if only the colors differ, only its color rules run. No request may leave the site,
 * every request must get a response, the console must stay empty, and no page may scroll sideways, even right to left.
 */
export default async function pages(site, found) {
  const axe = await source();
  const sample = site.source === site.root;
  const sizes = sample ? widths : Object.values(common);
  const translated = await translations(site);
  const every = translated.length > 0 ? [] : await kinds(site);
  const paths = (await site.pages()).filter((path, i) => translated.includes(path) || every.includes(path) ||
    translated.length === 0 && (sample || i % 5 === 0));
  let opened = 0;
  let rules = 0;
  let requests = 0;
  await withBrowser(async (context) => {
    const page = await context.newPage();
    let place = '';
    let here = '';
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol === 'data:') return;
      requests++;
      if (url.origin !== site.url) found.add(place, `loads ${request.url()} from another host`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400 && !(response.url() === here && here.endsWith(missing))) {
        found.add(place, `${response.url()} responds with ${response.status()}`);
      }
    });
    page.on('requestfailed', (request) => found.add(place, `${request.url()} gets no response: ${request.failure()?.errorText}`));
    page.on('pageerror', (error) => found.add(place, `script error: ${error.message}`));
    page.on('console', (message) => {
      // Chromium logs the expected status 404.
      if (here.endsWith(missing) && message.text().includes('404')) return;
      if (['error', 'warning'].includes(message.type())) found.add(place, `console: ${message.text()}`);
    });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of sizes) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of paths) {
          const kind = every.includes(path);
          if (!kind && common[colorScheme] !== width) continue;
          opened++;
          place = `${path} (${colorScheme}, ${width} px)`;
          here = site.url + path;
          await page.goto(here, { waitUntil: 'load' });
          await images(page, place, found);
          await sideways(page, place, found);
          const rulesOnly = kind && colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
          rules = Math.max(rules, await examine(page, axe, place, found, rulesOnly));
          if (kind && common[colorScheme] === width) {
            // Check the same page from right to left. Elements with fixed sides would then be outside the page or cover
            // other elements.
            await page.evaluate(() => { document.documentElement.dir = 'rtl'; });
            await sideways(page, `${place}, from the right`, found);
            await examine(page, axe, `${place}, from the right`, found);
          }
        }
      }
    }
  });
  return `axe: ${count(paths.length, 'page')}, opened ${opened} times (light and dark at ${sizes.join(', ')} px), by up to ${rules} rules; ` +
    `${count(requests, 'request')}, none to another host`;
}

/** Returns a page of each kind. */
async function kinds(site) {
  return ['/', await site.pricing(), await site.documentation(), await site.article(), '/search', '/blog', '/docs/api', missing];
}

/** Returns the translations of a page of each kind, and the error pages in each language. */
async function translations(site) {
  const languages = await site.languages();
  const all = languages.map((tag) => `/${tag}${missing}`);
  for (const path of languages.length > 0 ? await kinds(site) : []) {
    if (!path || path.endsWith(missing)) continue;
    const named = site.hreflang((await (await fetch(site.url + path)).text()).split('</head>')[0]);
    all.push(...languages.filter((tag) => named.has(tag)).map((tag) => named.get(tag)));
  }
  return all;
}

/** The width at which every page is opened: a phone in light colors, and a screen in dark colors. */
const common = { light: 360, dark: 1440 };

/** Adds a finding for each image that doesn't load, including lazy images. */
async function images(page, place, found) {
  const broken = await page.evaluate(async () => {
    const failed = [];
    for (const image of document.images) {
      image.loading = 'eager';
      await image.decode().catch(() => failed.push(image.src));
    }
    return failed;
  });
  for (const src of broken) found.add(place, `the image ${src} does not load`);
}

/** Adds a finding if the page is wider than the window. */
async function sideways(page, place, found) {
  const wide = await page.evaluate(() => {
    const root = document.documentElement;
    return root.scrollWidth > root.clientWidth ? root.scrollWidth : 0;
  });
  if (wide) found.add(place, `scrolls sideways: it is ${wide} px wide`);
}

import { examine, source } from '../lib/axe.mjs';
import { count } from '../lib/findings.mjs';
import { schemes, widths, withBrowser } from '../lib/browser.mjs';
import { missing } from '../lib/site.mjs';

/**
 * Opens pages in Chromium in both colour schemes: one of each kind at all widths, and at a
 * phone's and a screen's every other page of the sample and one in five of other sites, whose
 * theme is the same. axe finds nothing, no request leaves the site, every request is answered,
 * nothing is written to the console, and no page scrolls sideways.
 */
export default async function pages(site, found) {
  const axe = await source();
  const every = await kinds(site);
  const paths = (await site.pages()).filter((path, i) => site.source === site.root || i % 5 === 0 || every.includes(path));
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
        found.add(place, `${response.url()} is answered with ${response.status()}`);
      }
    });
    page.on('requestfailed', (request) => found.add(place, `${request.url()} is not answered: ${request.failure()?.errorText}`));
    page.on('pageerror', (error) => found.add(place, `script error: ${error.message}`));
    page.on('console', (message) => {
      // Chromium itself notes that a page was answered with 404, as it must be.
      if (here.endsWith(missing) && message.text().includes('404')) return;
      if (['error', 'warning'].includes(message.type())) found.add(place, `console: ${message.text()}`);
    });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of paths) {
          if (!common.includes(width) && !every.includes(path)) continue;
          opened++;
          place = `${path} (${colorScheme}, ${width} px)`;
          here = site.url + path;
          await page.goto(here, { waitUntil: 'load' });
          await images(page, place, found);
          await sideways(page, place, found);
          rules = await examine(page, axe, place, found);
        }
      }
    }
  });
  return `axe: ${count(paths.length, 'page')}, opened ${opened} times (light and dark at ${widths.join(', ')} px), up to ${rules} rules; ` +
    `${count(requests, 'request')}, none to another host`;
}

/** A page of each kind, which are opened at all widths. */
async function kinds(site) {
  return ['/', await site.pricing(), await site.documentation(), await site.article(), '/search', '/blog', '/docs/api', missing];
}

/** The widths that every page is opened at: a phone's and a screen's. */
const common = [360, 1440];

/** Adds images that do not load, those that load lazily too. */
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

/** Adds a page that is wider than the window. */
async function sideways(page, place, found) {
  const wide = await page.evaluate(() => {
    const root = document.documentElement;
    return root.scrollWidth > root.clientWidth ? root.scrollWidth : 0;
  });
  if (wide) found.add(place, `scrolls sideways: it is ${wide} px wide`);
}

import { withBrowser } from '../lib/browser.mjs';
import { missing } from '../lib/site.mjs';

/**
 * The minimum shift that is reported. Tools that measure shifts round to three digits, so they ignore smaller shifts,
 * such as a line that moves by a pixel while the page is still loading.
 */
const least = 0.001;

/**
 * The maximum number of loads of a page. A slow browser may paint part of the header first, and the rest then shifts the page.
 * Shifts that the page itself causes occur on every load.
 */
const openings = 3;

/**
 * Checks one page of each kind on a phone and on a desktop: no element may move while the page loads or while search results
 * arrive.
 */
export default async function shift(site, found) {
  const pages = await site.pages();
  const kinds = ['/', await site.pricing(), await site.documentation(), await site.article(), '/search', '/search?q=the', '/search?q=zzzz', '/blog', '/tags', missing];
  const paths = kinds.filter((path) => path && pages.includes(path.split('?')[0]));
  for (const viewport of [{ width: 412, height: 823 }, { width: 1440, height: 900 }]) {
    await withBrowser(async (context) => {
      await context.addInitScript(() => {
        window.shifts = [];
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries()) window.shifts.push([value, sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(', ')]);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const page = await context.newPage();
      for (const path of paths) {
        let [shifts, sum] = [[], least];
        for (let opened = 0; opened < openings && sum >= least; opened++) {
          await page.goto(site.url + path, { waitUntil: 'load' });
          if (path.includes('?q=')) await page.waitForFunction(() => document.querySelector('.search-status').textContent !== '');
          // Browsers report a shift one frame after painting.
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));
          shifts = await page.evaluate(() => window.shifts);
          sum = shifts.reduce((all, [value]) => all + value, 0);
        }
        if (sum >= least) found.add(`${path} at ${viewport.width}`, `moves by ${sum.toFixed(4)}: ${shifts.map(([, what]) => what).join('; ')}`);
      }
    }, { viewport });
  }
  return `layout shift: 0 on ${paths.length} kinds of pages, on a phone and on a desktop`;
}

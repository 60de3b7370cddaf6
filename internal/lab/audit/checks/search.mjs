import { examine, source } from '../lib/axe.mjs';
import { count } from '../lib/findings.mjs';
import { withBrowser } from '../lib/browser.mjs';

/**
 * The search: without scripts the page lists every page; with them a word of an
 * article's title finds it, nonsense finds nothing and says so, and axe has no
 * objection to either state. Nothing leaves the site.
 */
export default async function search(site, found) {
  const axe = await source();
  const article = await site.article();
  const title = (await site.text(`${article.slice(1)}.html`)).match(/<h1>([^<]+)<\/h1>/)[1];
  const word = title.split(/\W+/).sort((a, b) => b.length - a.length)[0];
  let listed = 0;
  await withBrowser(async (context) => {
    const page = await context.newPage();
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== site.url) found.add('/search', `loads ${request.url()} from another host`);
    });
    await page.goto(`${site.url}/search`, { waitUntil: 'load' });
    const field = page.getByRole('searchbox');
    await field.fill(word);
    const results = page.locator('#Results a');
    await results.first().waitFor({ timeout: 10_000 });
    const hrefs = await results.evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
    if (!hrefs.includes(article)) found.add('/search', `"${word}" finds ${hrefs.join(', ') || 'nothing'}, not ${article}`);
    await examine(page, axe, `/search with results for "${word}"`, found);
    await field.fill('zqxjkv');
    await page.waitForFunction(() => document.querySelectorAll('#Results a').length === 0);
    if (!(await page.getByRole('status').innerText()).trim()) found.add('/search', 'does not say that nothing was found');
    await examine(page, axe, '/search with no result', found);
  });
  await withBrowser(async (context) => {
    const page = await context.newPage();
    listed = await page.goto(`${site.url}/search`).then(() => page.locator('main ul a:visible').count());
    if (listed < 2) found.add('/search', `lists ${listed} pages without scripts`);
    if (await page.locator('form:visible').count()) found.add('/search', 'shows a form that does nothing without scripts');
  }, { javaScriptEnabled: false });
  return `"${word}" finds its article; ${count(listed, 'page')} listed without scripts`;
}

import { withBrowser } from '../lib/browser.mjs';

/**
 * The surroundings of a page. Without scripts, on a phone: the menu, the sidebar, and the contents
 * fold and open, and no button is visible that would do nothing. With scripts: the reader's color
 * scheme persists, without a flash; buttons copy code and the page's Markdown; the contents mark
 * the position; no element is wider than the screen.
 */
export default async function chrome(site, found) {
  const paths = ['/', '/docs', '/docs/api', await site.article()];
  await withBrowser(async (context) => {
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(site.url + path, { waitUntil: 'load' });
      if (await page.locator('button:visible').count()) found.add(path, 'shows a button that does nothing without scripts');
      for (const fold of await page.locator('details.switch:visible').all()) {
        const list = fold.locator('xpath=following-sibling::nav[1]');
        if (await list.isVisible()) found.add(path, `${await fold.innerText()}: the list is open before anybody asked for it`);
        await fold.locator('summary').click();
        if (!(await list.isVisible())) found.add(path, `${await fold.innerText()}: the list does not open`);
        await fold.locator('summary').click();
      }
    }
  }, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
  await withBrowser(async (context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    page.on('pageerror', (error) => found.add(page.url(), String(error)));
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.goto(`${site.url}/docs/api`, { waitUntil: 'load' });
    await page.locator('#Scheme').click();
    await page.locator('#Scheme').click();
    if (await scheme() !== 'dark') found.add('/docs/api', `the second choice of colours is ${await scheme()}, not dark`);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForSelector('h1');
    if (await scheme() !== 'dark') found.add('/docs/api', 'the choice of colours does not stay');
    await page.waitForLoadState('load');
    await page.locator('[data-copy-page]').click();
    await page.waitForFunction(() => document.querySelector('[data-copy-page]').disabled);
    const twin = await (await fetch(`${site.url}/docs/api.md`)).text();
    if (await clipboard() !== twin) found.add('/docs/api', 'the copied page is not its Markdown');
    const block = page.locator('.copied').first();
    await block.hover();
    await block.locator('button').click();
    await block.locator('button:disabled').waitFor();
    if (await clipboard() !== await block.locator('code').evaluate((code) => code.textContent)) found.add('/docs/api', 'the copied code is not that of the block');
    const last = page.locator('main h2[id]').nth(2);
    await last.evaluate((heading) => heading.scrollIntoView());
    const id = await last.getAttribute('id');
    await page.waitForFunction((id) => document.querySelector('.contents [aria-current]')?.hash === `#${id}`, id, { timeout: 30_000 })
      .catch(() => found.add('/docs/api', `the contents do not mark #${id}`));
  }, { viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  return `${paths.length} pages fold without scripts; colours, copies and the place in the contents work with them`;
}

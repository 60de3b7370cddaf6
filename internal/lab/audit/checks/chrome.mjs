import { withBrowser } from '../lib/browser.mjs';

/** Checks that a menu is closed initially, that a button opens it, and that Escape closes it. */
async function opens(page, path, button, menu, found) {
  const list = page.locator(menu);
  if (await list.isVisible()) return found.add(path, `${menu} is open initially`);
  await page.locator(button).first().click();
  if (!(await list.isVisible()) || !(await list.locator('a:visible').count())) found.add(path, `${button} does not open ${menu}`);
  await page.keyboard.press('Escape');
  if (await list.isVisible()) found.add(path, `Escape does not close ${menu}`);
}

/**
 * Checks the frame around a page's content. Without scripts, on a phone: the menus open and close, the contents open, and
 * buttons without a function are hidden. With scripts: the reader's color scheme persists without a flash, buttons copy code and
 * the page's Markdown, and the contents mark the current section.
 */
export default async function chrome(site, found) {
  const paths = ['/', '/docs', '/docs/api', await site.article()];
  await withBrowser(async (context) => {
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(site.url + path, { waitUntil: 'load' });
      if (await page.locator('button:not([popovertarget], [type=submit]):visible').count()) found.add(path, 'shows a button that does nothing without scripts');
      await opens(page, path, 'button.burger', '#Menu', found);
      if (path !== '/') await opens(page, path, 'button[popovertarget="Page-menu"]', '#Page-menu', found);
      for (const fold of await page.locator('details.toc-fold:visible').all()) {
        const list = fold.locator('ol');
        if (await list.isVisible()) found.add(path, 'the contents are open initially');
        await fold.locator('summary').click();
        if (!(await list.isVisible())) found.add(path, 'the contents do not open');
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
    const button = page.locator('header .scheme');
    await button.click();
    await button.click();
    if (await scheme() !== 'dark') found.add('/docs/api', `the second color scheme is ${await scheme()}, not dark`);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForSelector('h1');
    if (await scheme() !== 'dark') found.add('/docs/api', 'the color scheme does not persist');
    await page.waitForLoadState('load');
    await page.locator('[data-copy-page]').click();
    await page.waitForFunction(() => document.querySelector('[data-copy-page]').disabled);
    const twin = await (await fetch(`${site.url}/docs/api.md`)).text();
    if (await clipboard() !== twin) found.add('/docs/api', 'the copied page is not its Markdown');
    const block = page.locator('.code').first();
    await block.locator('button').click();
    await block.locator('button:disabled').waitFor();
    if (await clipboard() !== await block.locator('code').evaluate((code) => code.textContent)) found.add('/docs/api', 'the copied code is not the code of the block');
    const last = page.locator('main h2[id]').nth(2);
    await last.evaluate((heading) => heading.scrollIntoView());
    const id = await last.getAttribute('id');
    await page.waitForFunction((id) => document.querySelector('.toc [aria-current]')?.hash === `#${id}`, id, { timeout: 30_000 })
      .catch(() => found.add('/docs/api', `the contents do not mark #${id}`));
  }, { viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  return `${paths.length} pages have menus without scripts; colors, copying, and the position in the contents work with them`;
}

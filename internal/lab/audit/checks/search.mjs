import { examine, source } from '../lib/axe.mjs';
import { count } from '../lib/findings.mjs';
import { withBrowser } from '../lib/browser.mjs';

/** Checks the keys of the search page: / and Ctrl-K focus the field, and arrows move through the results and back. */
async function keys(page, field, found) {
  const focused = () => page.evaluate(() => document.activeElement.tagName);
  await field.press('ArrowDown');
  if (await focused() !== 'A') found.add('/search', 'ArrowDown does not focus the first result');
  await page.keyboard.press('ArrowUp');
  if (await focused() !== 'INPUT') found.add('/search', 'ArrowUp does not focus the field');
  for (const key of ['/', 'Control+k']) {
    await field.blur();
    await page.keyboard.press(key);
    if (await focused() !== 'INPUT') found.add('/search', `${key} does not focus the field`);
  }
  if ((await field.inputValue()).includes('/')) found.add('/search', 'types the / into the field');
}

/** Checks the dialog on another page: it searches while you type, filters by section, closes with Escape, and offers recent searches. */
async function overlay(page, axe, site, article, word, found) {
  await page.goto(`${site.url}${article}`, { waitUntil: 'load' });
  await page.keyboard.press('Control+k');
  const dialog = page.locator('dialog.search'), links = dialog.locator('.hits a');
  await dialog.waitFor({ timeout: 30_000 });
  const place = await dialog.evaluate((box) => getComputedStyle(box).position);
  if (place !== 'fixed') found.add(article, `the dialog opens without its styles: its position is ${place}`);
  const sign = await dialog.locator('form button').last().evaluate((button) => getComputedStyle(button, '::before').content);
  if (sign !== 'none') found.add(article, `the dialog's button Esc has the sign ${sign}`);
  await page.keyboard.type(word);
  await links.first().waitFor({ timeout: 30_000 });
  const paths = () => links.evaluateAll((all) => all.map((link) => link.pathname));
  if (!(await paths()).includes(article)) found.add(article, `the dialog does not find this page by "${word}"`);
  await examine(page, axe, `the search dialog with results for "${word}"`, found);
  const filter = dialog.locator('.search-filters button').last();
  if (await filter.isVisible()) {
    const section = await filter.innerText();
    await filter.click();
    await page.waitForFunction((name) => [...document.querySelectorAll('dialog.search .hits h2')].every((h2) => h2.textContent === name), section, { timeout: 30_000 })
      .catch(() => found.add(article, `the dialog does not filter by ${section}`));
    await dialog.locator('.search-filters button').first().click();
    await links.first().waitFor({ timeout: 30_000 });
  }
  await page.keyboard.press('Escape');
  if (await dialog.isVisible()) found.add(article, 'Escape does not close the dialog');
  await page.locator('a.find').click();
  await dialog.getByRole('searchbox').fill(word);
  await page.waitForFunction((path) => [...document.querySelectorAll('dialog.search .hits a')].some((link) => link.pathname === path), article, { timeout: 30_000 });
  await page.keyboard.press('ArrowDown');
  if (await page.evaluate(() => document.activeElement.tagName) !== 'A') found.add(article, 'ArrowDown does not focus the first result of the dialog');
  const target = await page.evaluate(() => document.activeElement.href);
  // The result may be the open page, which then reloads.
  await Promise.all([page.waitForEvent('load', { timeout: 30_000 }), page.keyboard.press('Enter')]);
  if (page.url() !== target) found.add(article, `Enter goes to ${page.url()}, not to ${target}`);
  await page.locator('a.find').click();
  if (await dialog.locator('.recent button').first().innerText() !== word) found.add(article, 'the dialog does not offer the last search');
}

/**
 * Checks the search. Without scripts, the search page lists pages. With scripts, a word of an article's title finds the article,
 * even with a typo; the page reports that a nonsense word has no results; and axe finds no problem in either state. No request
 * leaves the site.
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
    const results = page.locator('.search-results a');
    await results.first().waitFor({ timeout: 30_000 });
    const hrefs = await results.evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
    if (!hrefs.includes(article)) found.add('/search', `"${word}" finds ${hrefs.join(', ') || 'nothing'}, not ${article}`);
    await examine(page, axe, `/search with results for "${word}"`, found);
    if (!(await page.locator('.search-results mark').count())) found.add('/search', 'marks no hit');
    if (!new URL(page.url()).searchParams.get('q')) found.add('/search', 'does not keep the words in the address');
    await keys(page, field, found);
    const wrong = word.length < 5 ? word : word.slice(0, 2) + word.slice(3);
    await field.fill(wrong);
    await page.waitForFunction((path) => [...document.querySelectorAll('.search-results a')].some((link) => link.pathname === path), article, { timeout: 30_000 })
      .catch(() => found.add('/search', `"${wrong}" does not find ${article}`));
    await field.fill('zqxjkv');
    await page.waitForFunction(() => document.querySelectorAll('.search-results a').length === 0);
    if (!(await page.getByRole('status').innerText()).trim()) found.add('/search', 'does not report that nothing was found');
    await examine(page, axe, '/search with no result', found);
    await overlay(page, axe, site, article, word, found);
  });
  await withBrowser(async (context) => {
    const page = await context.newPage();
    listed = await page.goto(`${site.url}/search`).then(() => page.locator('main ul a:visible').count());
    if (listed < 2) found.add('/search', `lists ${listed} pages without scripts`);
    await page.getByRole('searchbox').fill(word);
    await page.getByRole('button', { name: 'Search' }).click();
    const address = new URL(page.url());
    if (address.searchParams.get('q') !== word || address.hash !== '#Everything') found.add('/search', `goes to ${address} without scripts`);
    if (!(await page.locator('noscript').innerText()).trim()) found.add('/search', 'does not explain the form without scripts');
  }, { javaScriptEnabled: false });
  return `"${word}" finds its article; ${count(listed, 'page')} listed without scripts`;
}

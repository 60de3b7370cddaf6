import { examine, source } from '../lib/axe.mjs';
import { count } from '../lib/findings.mjs';
import { withBrowser } from '../lib/browser.mjs';

/**
 * Checks the zoom component on every page that has it: the keyboard opens the image in a dialog; Escape, the button, and a click
 * close it; the focus returns to the link; and axe finds no problem. Without scripts, the link's target is an image.
 */
export default async function zoom(site, found) {
  const paths = [];
  for (const file of await site.files('.html')) {
    if ((await site.text(file)).includes('class="zoom"')) paths.push(`/${file}`.replace(/\.html$/, ''));
  }
  const axe = await source();
  await withBrowser(async (context) => {
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(site.url + path, { waitUntil: 'load' });
      const link = page.locator('.zoom a').first(), dialog = page.locator('dialog.zoomed');
      const closed = async (way) => {
        // The page removes the dialog only after the click.
        await dialog.waitFor({ state: 'detached', timeout: 10_000 }).catch(() => found.add(path, `${way} does not close the image`));
        if (!(await link.evaluate((element) => element === document.activeElement))) found.add(path, `${way} does not return the focus to the link`);
      };
      await link.focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ timeout: 10_000 });
      const image = dialog.locator('img');
      await image.evaluate((element) => element.decode());
      const { width, height } = await image.boundingBox();
      if (Math.max(width, height) < 200) found.add(path, `the zoomed image has ${width} by ${height} px`);
      await examine(page, axe, `${path} with a zoomed image`, found);
      await page.keyboard.press('Escape');
      await closed('Escape');
      await page.keyboard.press('Enter');
      await dialog.getByRole('button').press('Enter');
      await closed('The button');
      await page.keyboard.press('Enter');
      await image.click();
      await closed('A click');
    }
  });
  await withBrowser(async (context) => {
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(site.url + path, { waitUntil: 'load' });
      const target = await page.locator('.zoom a').first().getAttribute('href');
      const response = await fetch(new URL(target, site.url));
      if (!response.headers.get('content-type')?.startsWith('image/')) found.add(path, `without scripts, the link points to ${target}, which is not an image`);
    }
  }, { javaScriptEnabled: false });
  return `${count(paths.length, 'page')} with images to enlarge`;
}

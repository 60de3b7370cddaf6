import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { schemes, widths, withBrowser } from '../lib/browser.mjs';
import { missing } from '../lib/site.mjs';

/** Takes full-page screenshots of the main pages, and of the paths in the environment variable PAGES, into build/screenshots. */
export default async function screenshots(site) {
  const folder = join(site.root, 'build', 'screenshots');
  await mkdir(folder, { recursive: true });
  const pages = {
    home: '/', pricing: '/pricing', article: await site.article(), blog: '/blog', api: '/docs/api', 'not-found': missing,
    ...Object.fromEntries((process.env.PAGES ?? '').split(',').filter(Boolean).map((path) => [path.slice(1).replaceAll('/', '-'), path])),
  };
  await withBrowser(async (context) => {
    const page = await context.newPage();
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(site.url + path, { waitUntil: 'load' });
          await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        }
      }
    }
  });
  return `pictures in ${folder}`;
}

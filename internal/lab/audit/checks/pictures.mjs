import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withBrowser } from '../lib/browser.mjs';
import { mustExec, start } from '../lib/process.mjs';

/** A page with a broken link, for the README's first picture. */
const mistaken = `---
title: Held twice
description: Why some calls are held twice, and what that costs.
---

Some calls are held once. On the plan Team they can be held twice: see [the pricing](pricin.md).
`;

/**
 * Takes the pictures for the README and the documentation's home page: the preview with a problem, a page of our documentation,
 * and the sample's home page.
 */
export default async function pictures(site) {
  const faulty = join(site.folder, 'faulty');
  const documentation = join(site.folder, 'documentation');
  await mkdir(faulty);
  await mkdir(documentation);
  await cp(join(site.root, 'content'), join(faulty, 'content'), { recursive: true });
  await cp(join(site.root, 'docs'), join(documentation, 'content'), { recursive: true });
  await writeFile(join(faulty, 'content', 'twice.md'), mistaken);
  const build = join(site.folder, 'documentation-build');
  await mustExec(site.vitrine, ['build', '--root', documentation, '--out', build]);
  const pages = await site.serveFolder(build, '-allowance', '0');
  const preview = await start(site.vitrine, ['preview', '--root', faulty, '--addr', '127.0.0.1:0'], (line) => line.match(/previewing (http\S+)/)?.[1]);
  try {
    await withBrowser(async (context) => {
      const page = await context.newPage();
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      const take = async (name, address, width, height, ready) => {
        await page.setViewportSize({ width, height });
        await page.goto(address, { waitUntil: 'load' });
        await page.getByText(ready).first().waitFor();
        await page.screenshot({ path: join(site.root, 'docs', `${name}.png`) });
      };
      await take('preview', new URL('/twice', preview.value).href, 1100, 480, 'pricin.md');
      await take('documentation', `${pages.url}/guides/write`, 1280, 960, 'Write a site');
      await take('home', site.url, 1280, 960, 'Get started');
    });
  } finally {
    await preview.stop();
  }
  return 'docs/preview.png, docs/documentation.png, and docs/home.png';
}

// The toolbar under a page, the banner above it, and the Markdown next to it.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { examine, source as axeSource } from '../lib/axe.mjs';
import { Findings } from '../lib/findings.mjs';
import { basics, fakeEditor, overlay, page, problems, shows, until, withPage } from './preview.mjs';

const faulty = page('The week', 'On Mondays.\n\n## Early\n\n#### Earlier still\n\n![](acorn.svg)');
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>\n';

test('the bar shows the source of a page and counts its words', () => withPage('/week', async ({ tab, site, url }) => {
  const bar = tab.getByRole('complementary', { name: 'Vitrine preview' });
  await bar.getByText('week.md').waitFor();
  await bar.getByText('6 words').waitFor();
  await site.write('content/week.md', page('The week', 'One two three.'));
  await bar.getByText('3 words').waitFor();
  await tab.goto(`${url}/search`);
  await bar.getByText('(theme)').waitFor();
  await tab.goto(`${url}/plan.html`);
  await bar.getByText('plan.html').waitFor();
}, { preview: { files: { 'content/static/plan.html': '<!doctype html><html lang="en"><title>Plan</title><p>A plan of its own.</p></html>' } } }));

test('the bar lists the problems of the page with their lines, and opens them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-editor-'));
  const editor = await fakeEditor(folder);
  try {
    await withPage('/week', async ({ tab, site }) => {
      const count = tab.getByRole('button', { name: '2 problems here' });
      await count.click();
      const panel = tab.getByRole('region', { name: 'Problems' });
      await panel.getByRole('button', { name: 'content/week.md:10:1' }).waitFor();
      await panel.getByRole('button', { name: 'content/week.md:12:1' }).click();
      await panel.getByText('#### Earlier still').first().waitFor();
      const opened = (line) => until(`the editor is called with ${line}`, async () => (await readFile(editor.log, 'utf8').catch(() => '')).split('\n').includes(line));
      await opened(`--new-window --goto ${site.path('content/week.md')}:12:1`);
      await tab.getByRole('button', { name: 'content/week.md', exact: true }).click();
      await opened(`--new-window --goto ${site.path('content/week.md')}:1:1`);

      await site.write('content/week.md', page('The week', '[x](nowhere.md)'));
      await problems(tab, 1);
      await overlay(tab).getByRole('button', { name: 'content/week.md:6:1' }).click();
      await opened(`--new-window --goto ${site.path('content/week.md')}:6:1`);
    }, { preview: { files: { 'content/week.md': faulty, 'content/acorn.svg': picture }, env: { VISUAL: `'${editor.program}' --new-window` } } });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('without a graphical editor, locations are links to VS Code', () => withPage('/week', async ({ tab, site }) => {
  await tab.getByRole('button', { name: '2 problems here' }).click();
  const link = tab.getByRole('link', { name: 'content/week.md:10:1' });
  assert.equal(await link.getAttribute('href'), `vscode://file${site.path('content/week.md')}:10:1`);
}, { preview: { files: { 'content/week.md': faulty, 'content/acorn.svg': picture }, env: { EDITOR: 'vi' } } }));

test('drafts and scheduled pages are shown, and marked', () => withPage('/blog/draft', async ({ tab, url, site }) => {
  await shows(tab, 'Only the preview shows this page. To publish it');
  await shows(tab, 'Not ready.');
  await tab.goto(`${url}/blog/later`);
  await shows(tab, 'The first build after 1 January 2090, 00:00 UTC publishes it.');
  await tab.goto(`${url}/week`);
  await tab.getByText('words').waitFor();
  assert.equal(await tab.getByText('Only the preview shows').count(), 0);
  await tab.goto(`${url}/blog/draft`);
  await site.write('content/blog/draft.md', page('Draft', 'Published at last.', 'date: 2026-01-01\n'));
  await shows(tab, 'Published at last.');
  assert.equal(await tab.getByText('Only the preview shows').count(), 0);
}, { preview: { files: {
  'content/blog/draft.md': page('Draft', 'Not ready.', 'date: 2026-01-01\ndraft: true\n'),
  'content/blog/later.md': page('Later', 'Not yet.', 'date: 2090-01-01\n'),
} } }));

test('lists mark unpublished pages', () => withPage('/blog', async ({ tab, site }) => {
  const marked = (title) => tab.locator('li', { has: tab.getByRole('link', { name: title, exact: true }) }).locator('vitrine-preview .tag');
  await marked('Unripe').getByText('draft').waitFor();
  await marked('Later').getByText('scheduled').waitFor();
  assert.equal(await marked('Ripe').count(), 0);
  await site.write('content/blog/unripe.md', page('Unripe', 'Not ready.', 'date: 2026-01-01\n'));
  await marked('Unripe').waitFor({ state: 'detached' });
  await marked('Later').getByText('scheduled').waitFor();
}, { preview: { files: {
  'content/blog/ripe.md': page('Ripe', 'Ready.', 'date: 2026-01-01\n'),
  'content/blog/unripe.md': page('Unripe', 'Not ready.', 'date: 2026-01-01\ndraft: true\n'),
  'content/blog/later.md': page('Later', 'Not yet.', 'date: 2090-01-01\n'),
} } }));

test('links to the address of the site stay in the preview', () => withPage('/', async ({ tab, url }) => {
  await tab.getByRole('link', { name: 'the whole week' }).click();
  await tab.waitForURL(`${url}/week?day=1#early`);
  await shows(tab, 'On Mondays');
}, { preview: { files: { 'content/index.md': page('Home', 'See [the whole week](https://acorn.example/week?day=1#early).'),
  'content/week.md': page('The week', '## Early\n\nOn Mondays.') } } }));

test('the preview follows a page whose file is renamed', () => withPage('/week', async ({ tab, site, url }) => {
  await shows(tab, 'On Mondays');
  await site.rename('content/week.md', 'content/days.md');
  await tab.waitForURL(`${url}/days`);
  await shows(tab, 'On Mondays');
  await site.write('content/days.md', page('The days', 'On Sundays.', 'slug: all-days\n'));
  await tab.waitForURL(`${url}/all-days`);
  await shows(tab, 'On Sundays.');
}, { preview: { files: { 'content/index.md': page('Home', 'Nothing leads to the week.'), 'content/product.yaml': basics['content/product.yaml'].replace('acorn.example/week', 'acorn.example/') } } }));

test('the Markdown twin is next to the page, and stays there after a reload', () => withPage('/week', async ({ tab, site, url }) => {
  const toggle = tab.getByRole('button', { name: 'Markdown', exact: true });
  const twin = tab.getByRole('complementary', { name: 'Markdown twin' });
  await toggle.click();
  await twin.getByText('# The week').waitFor();
  assert.equal(await twin.locator('pre').textContent(), await (await fetch(`${url}/week.md`)).text());
  assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
  const beside = await twin.boundingBox();
  const heading = await tab.getByRole('heading', { name: 'The week', exact: true, level: 1 }).boundingBox();
  assert.ok(heading.x + heading.width <= beside.x, 'the twin hides the page');

  await site.write('content/week.md', page('The week', 'Both sides change.'));
  await twin.getByText('Both sides change.').waitFor();
  await tab.getByRole('main').getByText('Both sides change.').waitFor();
  await twin.locator('pre').press('Escape');
  await twin.waitFor({ state: 'detached' });
  assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
}));

test("the site's stylesheet cannot break the bar or the overlay", () => withPage('/week', async ({ tab, site }) => {
  const looks = () => tab.evaluate(() => {
    const root = document.getElementById('vitrine-preview').shadowRoot;
    return ['.bar', 'button', '.source', '.words'].map((selector) => {
      const style = getComputedStyle(root.querySelector(selector));
      return [selector, style.display, style.color, style.fontSize, style.fontFamily, style.letterSpacing, style.textTransform, style.visibility, style.pointerEvents, style.direction];
    });
  });
  await tab.locator('.words').waitFor();
  const before = await looks();
  await site.write('templates/assets/style.css', `
    html, body, * { --ink: red !important; --surface: red !important; --mono: fantasy !important; all: unset !important; display: none !important; color: red !important; font: 60px fantasy !important;
      letter-spacing: 1em !important; text-transform: uppercase !important; visibility: hidden !important; pointer-events: none !important; direction: rtl !important }
    html, body { display: block !important }
    vitrine-preview, #vitrine-preview, aside, button, dialog { display: none !important; opacity: 0 !important; transform: scale(0) !important }`);
  await tab.waitForFunction(() => getComputedStyle(document.body).color === 'rgb(255, 0, 0)');
  await tab.locator('.words').waitFor();
  assert.deepEqual(await looks(), before);
  await site.write('content/week.md', page('The week', '[x](nowhere.md)'));
  await problems(tab, 1);
  await overlay(tab).getByRole('button', { name: 'Close' }).click();
}));

test('every action works with the keyboard', () => withPage('/week', async ({ tab, site }) => {
  const focused = () => tab.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return (at?.getAttribute('aria-label') ?? at?.textContent)?.replaceAll('\u00a0', ' ');
  });
  const tabTo = async (name) => {
    for (let i = 0; i < 60; i++) {
      await tab.keyboard.press('Tab');
      if ((await focused())?.includes(name)) return;
    }
    assert.fail(`${name} cannot be reached with the Tab key`);
  };
  await tab.locator('.words').waitFor();
  await tabTo('Hide the preview bar');
  await tabTo('content/week.md');
  await tabTo('Markdown');
  await tab.keyboard.press('Enter');
  await tab.getByRole('complementary', { name: 'Markdown twin' }).waitFor();
  await tab.keyboard.press('Space');
  await tab.getByRole('complementary', { name: 'Markdown twin' }).waitFor({ state: 'detached' });
  await tabTo('2 problems here');
  await tab.keyboard.press('Enter');
  await tab.getByRole('region', { name: 'Problems' }).waitFor();
  await tab.keyboard.press('Escape');
  await tab.getByRole('region', { name: 'Problems' }).waitFor({ state: 'detached' });
  assert.equal(await focused(), '2 problems here');

  await site.write('content/week.md', page('The week', '[x](nowhere.md)'));
  await problems(tab, 1);
  assert.equal(await focused(), '1 error in content/week.md');
  await tab.keyboard.press('Escape');
  await overlay(tab).waitFor({ state: 'detached' });

  await tabTo('Hide the preview bar');
  await tab.keyboard.press('Enter');
  await tab.getByRole('button', { name: 'Show the preview bar' }).waitFor();
  await site.write('content/week.md', page('The week', 'The bar stays folded.'));
  await shows(tab, 'The bar stays folded.');
  await tab.getByRole('button', { name: 'Show the preview bar' }).waitFor();
}, { preview: { files: { 'content/week.md': faulty, 'content/acorn.svg': picture } } }));

for (const colorScheme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    test(`axe finds no problem, ${colorScheme}, ${width} pixels`, () => withPage('/blog/draft', async ({ tab, site }) => {
      const axe = await axeSource();
      const found = new Findings();
      await tab.locator('.dock').waitFor();
      await examine(tab, axe, 'the bar and the banner', found);
      await tab.getByRole('button', { name: /problem/ }).click();
      await tab.getByRole('region', { name: 'Problems' }).waitFor();
      await examine(tab, axe, 'the problems', found);
      await tab.keyboard.press('Escape');
      await tab.getByRole('button', { name: 'Markdown', exact: true }).click();
      await tab.locator('.twin .heading').first().waitFor();
      await examine(tab, axe, 'the twin', found);
      await site.write('content/week.md', page('The week', '[x](nowhere.md)'));
      await problems(tab, 2);
      await examine(tab, axe, 'the overlay', found);
      assert.equal(await overlay(tab).evaluate((dialog) => getComputedStyle(dialog).animationName), 'none', 'it is animated, although the user prefers reduced motion');
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');
      assert.deepEqual([...found.lines()], []);
    }, {
      preview: { files: { 'content/blog/draft.md': '---\ntitle: Draft\ndate: 2026-01-01\ndraft: true\n---\n\nIt has no description.\n' } },
      browser: { colorScheme, viewport: { width, height: 800 } },
    }));
  }
}

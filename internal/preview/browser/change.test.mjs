// The browser shows the right state after each change to a page, a template, or product.yaml: an edit, a mistake, and a
// fix.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basics, fixed, overlay, page, problems, shows, withPage } from './preview.mjs';

test('a page is changed, broken, and fixed', () => withPage('/week', async ({ tab, site }) => {
  await shows(tab, 'On Mondays, before the doors open.');
  await site.write('content/week.md', page('The week', 'On Tuesdays, after lunch.'));
  await shows(tab, 'On Tuesdays, after lunch.');

  await site.write('content/week.md', page('The week', 'On Wednesdays.\n\nSee [the plan](plan.md).'));
  const [problem] = await problems(tab, 1);
  assert.deepEqual(problem, {
    place: 'content/week.md:8:5', text: '"plan.md" does not exist: there is no content/plan.md',
    line: 'See [the plan](plan.md).', at: '[', caret: '"^"',
  });
  await shows(tab, 'On Tuesdays, after lunch.'); // The last good build is behind the overlay.

  await site.write('content/week.md', page('The week', 'On Thursdays.'));
  await shows(tab, 'On Thursdays.');
  await fixed(tab);
}));

test('the reload after a change waits while the reader leaves the page', () => withPage('/week', async ({ tab, site }) => {
  await tab.evaluate(() => {
    dispatchEvent(new Event('beforeunload'));
    const begun = performance.now();
    addEventListener('pagehide', () => sessionStorage.setItem('waited', performance.now() - begun));
  });
  await site.write('content/week.md', page('The week', 'On Thursdays.'));
  await shows(tab, 'On Thursdays.');
  const waited = await tab.evaluate(() => Number(sessionStorage.getItem('waited')));
  assert(waited > 4900, `the page was reloaded after ${waited} ms`);
}));

test('the problem of a reverted mistake disappears', () => withPage('/week', async ({ tab, site }) => {
  const good = await site.read('content/week.md');
  await site.write('content/week.md', `${good}\n[gone](gone.md)\n`);
  await problems(tab, 1);
  await tab.evaluate(() => { window.loadedOnce = true; });
  await site.write('content/week.md', good);
  await fixed(tab);
  assert.equal(await tab.evaluate(() => window.loadedOnce), true, 'the unchanged page was reloaded');
}));

test('a template is created, changed, broken, and fixed', () => withPage('/week', async ({ tab, site }) => {
  const layout = (text) => `{{define "main"}}<article><h1>{{.Page.Title}}</h1>{{.Page.Content}}<p>${text}</p></article>{{end}}\n`;
  await site.write('templates/layouts/page.html', layout('Set by the nursery.'));
  await shows(tab, 'Set by the nursery.');
  await site.write('templates/layouts/page.html', layout('Set anew.'));
  await shows(tab, 'Set anew.');

  await site.write('templates/layouts/page.html', layout('\n{{if .Page.Title}}'));
  const [broken] = await problems(tab, 1);
  assert.match(broken.place, /^templates\/layouts\/page\.html:\d+:\d+$/);
  assert.match(broken.text, /unexpected EOF/);

  await site.write('templates/layouts/page.html', layout('{{.Page.Titel}}'));
  await overlay(tab).getByText('Titel').first().waitFor();
  await site.write('templates/layouts/page.html', layout('Mended.'));
  await shows(tab, 'Mended.');
  await fixed(tab);
  await site.remove('templates');
  await tab.getByText('Mended.').waitFor({ state: 'detached' });
  await shows(tab, 'On Mondays');
}));

test('product.yaml is changed, broken, and fixed', () => withPage('/week', async ({ tab, site }) => {
  const product = basics['content/product.yaml'];
  await shows(tab, 'Acorn opens early.');
  await site.write('content/product.yaml', product.replace('name: Acorn', 'name: Oak'));
  await shows(tab, 'Oak opens early.');

  await site.write('content/product.yaml', product.replace('monthlyPrice: 9', 'monthlyPrice: nine'));
  const [wrong] = await problems(tab, 1);
  assert.equal(wrong.place, 'content/product.yaml:13:34');
  assert.match(wrong.line, /monthlyPrice: nine/);
  assert.equal(wrong.at, 'n');

  await site.write('content/product.yaml', product.replace('audience: [', 'audience: [['));
  await tab.waitForFunction(() => document.querySelector('#vitrine-preview')?.shadowRoot?.querySelector('dialog[open] .at')?.textContent !== 'n');
  await site.write('content/product.yaml', product.replace('name: Acorn', 'name: Elm'));
  await shows(tab, 'Elm opens early.');
  await fixed(tab);
}, { preview: { files: { 'content/week.md': page('The week', '{{ name }} opens early.') } } }));

test('all remaining problems are shown at the same time', () => withPage('/week', async ({ tab, site }) => {
  await site.write('content/a.md', page('A', '[x](nowhere.md)\n\n[y](nowhere-else.md)'));
  await site.write('content/b.md', page('B', 'Text.', 'dote: 2026-01-01\n'));
  assert.deepEqual((await problems(tab, 3)).map((problem) => problem.place), ['content/a.md:6:1', 'content/a.md:8:1', 'content/b.md:4:1']);
  await shows(overlay(tab), '3 errors in 2 files');
  await site.write('content/a.md', page('A', 'Text.'));
  const [left] = await problems(tab, 1);
  assert.equal(left.place, 'content/b.md:4:1');

  await tab.keyboard.press('Escape');
  await fixed(tab);
  await site.write('content/week.md', page('The week', 'Not built while there are errors.')); // The errors stay fixed.
  await site.write('content/b.md', page('B', 'Text.'));
  await shows(tab, 'Not built while there are errors.');
}));

test('a first build with errors shows them at every address until they are fixed', () => withPage('/week', async ({ tab, site, url }) => {
  assert.equal((await problems(tab, 1))[0].place, 'content/week.md:6:1');
  await tab.keyboard.press('Escape'); // Escape does not close it, because there is no page behind it.
  await tab.keyboard.press('Escape');
  await tab.goto(`${url}/another/address`);
  await problems(tab, 1);
  await tab.goto(`${url}/week`);
  await problems(tab, 1);
  await site.write('content/week.md', page('The week', 'Built at last.'));
  await shows(tab, 'Built at last.');
  await fixed(tab);
}, { preview: { files: { 'content/week.md': page('The week', '[x](nowhere.md)') } }, expected: [503] }));

test('the scroll position is kept', () => withPage('/week', async ({ tab, site }) => {
  const lines = (last) => page('The week', `${Array.from({ length: 200 }, (_, i) => `Paragraph ${i}.`).join('\n\n')}\n\n${last}`);
  await site.write('content/week.md', lines('The first end.'));
  await shows(tab, 'The first end.');
  await tab.waitForFunction(() => {
    scrollTo(0, 3210);
    return document.readyState === 'complete' && scrollY === 3210;
  });
  await site.write('content/week.md', lines('The second end.'));
  await shows(tab, 'The second end.');
  await tab.waitForFunction(() => document.readyState === 'complete' && scrollY === 3210);
  await tab.evaluate(() => { location.href = '/'; });
  await shows(tab, 'begins here');
  // Another page starts at its top. The build of the last change may reload it in the meantime.
  await tab.waitForFunction(() => document.readyState === 'complete' && scrollY === 0);
}));

// Files and folders are created, removed, and renamed in all the ways that editors and git do it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fixed, page, problems, shows, until, withPage } from './preview.mjs';

const missing = 'no page at this address';

test('a page is created, renamed, and deleted while its address is open', () => withPage('/new', async ({ tab, site, url }) => {
  await shows(tab, missing);
  await site.write('content/new.md', page('New', 'Just written.'));
  await shows(tab, 'Just written.');
  await site.rename('content/new.md', 'content/newer.md');
  await tab.waitForURL(`${url}/newer`);
  await shows(tab, 'Just written.');
  await site.remove('content/newer.md');
  await shows(tab, missing);
}, { expected: [404] }));

test('folders are created, filled, renamed, and deleted', () => withPage('/guides/deep/first', async ({ tab, site, url }) => {
  await shows(tab, missing);
  await site.write('content/guides/deep/first.md', page('First', 'In a folder within a folder.'));
  await shows(tab, 'In a folder within a folder.');
  await site.write('content/guides/deep/first.md', page('First', 'Changed within it.'));
  await shows(tab, 'Changed within it.');

  await site.rename('content/guides', 'content/manuals');
  await tab.waitForURL(`${url}/manuals/deep/first`);
  await shows(tab, 'Changed within it.');
  await site.write('content/manuals/deep/first.md', page('First', 'Changed under the new name.'));
  await shows(tab, 'Changed under the new name.');

  await site.remove('content/manuals');
  await shows(tab, missing);
  await site.write('content/manuals/deep/first.md', page('First', 'Made once more.'));
  await shows(tab, 'Made once more.');
  await site.write('content/manuals/deep/first.md', page('First', 'And changed once more.'));
  await shows(tab, 'And changed once more.');
}, { expected: [404] }));

test('editors save by renaming', () => withPage('/week', async ({ tab, site }) => {
  await site.writeByRename('content/week.md', page('The week', 'Written beside and put over it.'));
  await shows(tab, 'Written beside and put over it.');
  await site.writeByRename('content/week.md', page('The week', 'And a second time.'));
  await shows(tab, 'And a second time.');

  // Like vim with a backup: it renames the old file, writes a new one in its place, and removes the old one.
  const file = site.path('content/week.md');
  await rename(file, `${file}~`);
  await writeFile(file, page('The week', 'Written with a backup.'));
  await rm(`${file}~`);
  await shows(tab, 'Written with a backup.');
  await writeFile(file, page('The week', 'Written in place.'));
  await shows(tab, 'Written in place.');
}));

test('git checks out another branch and returns', () => withPage('/week', async ({ tab, site, url }) => {
  const git = (...args) => execFileSync('git', ['-c', 'user.name=Editor', '-c', 'user.email=editor@acorn.example', '-c', 'commit.gpgsign=false', ...args],
    { cwd: site.folder, stdio: 'pipe', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' } });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'The site');
  git('checkout', '-q', '-b', 'spring');
  await site.write('content/week.md', page('The week', 'In spring. [Sow](sowing/beans.md).'));
  await site.write('content/sowing/beans.md', page('Beans', 'Two fingers deep.'));
  await site.remove('content/index.md');
  await shows(tab, 'In spring.');
  git('add', '-A');
  git('commit', '-q', '-m', 'Spring');

  git('checkout', '-q', 'main');
  await shows(tab, 'On Mondays, before the doors open.');
  await fixed(tab);
  assert.equal((await tab.request.get(`${url}/sowing/beans`)).status(), 404);
  git('checkout', '-q', 'spring');
  await shows(tab, 'In spring.');
  await tab.goto(`${url}/sowing/beans`);
  await shows(tab, 'Two fingers deep.');
  git('checkout', '-q', 'main');
  await shows(tab, missing);
}, { expected: [404] }));

test('a thousand files are created, changed, and removed in one batch', () => withPage('/many', async ({ tab, site, url }) => {
  const names = Array.from({ length: 1000 }, (_, i) => `content/many/page-${i}.md`);
  const all = (text) => Promise.all(names.map((name, i) => site.write(name, page(`Page ${i}`, `${text} ${i}.`))));
  const served = async (text) => {
    // The last page may appear before others. Eventually, all pages must appear.
    for (const i of names.keys()) {
      await until(`page ${i} says "${text}"`, async () => (await (await fetch(`${url}/many/page-${i}`)).text()).includes(`${text} ${i}.`));
    }
  };
  await all('One of many:');
  await tab.goto(`${url}/many/page-999`);
  await shows(tab, 'One of many: 999.');
  await served('One of many:');
  await all('Changed like the others:');
  await shows(tab, 'Changed like the others: 999.');
  await served('Changed like the others:');
  await site.remove('content/many');
  await shows(tab, missing);
  for (const i of [0, 500, 999]) assert.equal((await fetch(`${url}/many/page-${i}`)).status, 404);
}, { expected: [404] }));

test('a change during a build is not lost', () => withPage('/week', async ({ tab, site }) => {
  // The writes follow each other without waiting for builds. The page must show the last one.
  for (let i = 0; i < 200; i++) await site.write('content/week.md', page('The week', `Version ${i} of it.`));
  await shows(tab, 'Version 199 of it.');
  await site.write('content/week.md', page('The week', '[x](nowhere.md)'));
  await problems(tab, 1);
}));

test('without change events from the system, files are polled', () => withPage('/week', async ({ tab, site, url }) => {
  await site.write('content/week.md', page('The week', 'Seen by looking.'));
  await shows(tab, 'Seen by looking.');
  await site.write('content/far/off.md', page('Off', 'In a new folder.'));
  await until('the new page is there', async () => (await fetch(`${url}/far/off`)).ok);
  await site.remove('content/far');
  await until('the page is gone', async () => (await fetch(`${url}/far/off`)).status === 404);
}, { preview: { flags: ['--poll', '50ms'] } }));

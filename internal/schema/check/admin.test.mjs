// Tests the content editor in a browser: it runs only from the site, under the site's policy, and keeps all content of an
// article when it saves it.
//
// Real Chromium opens /admin of a served site. The editor's test backend keeps its files in the browser; the test
// copies the site's files there first.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { parse } from 'yaml';
import { newSite, vitrine } from './site.mjs';

const modules = new URL('../node_modules', import.meta.url).pathname;
const store = 'sveltia-cms-test';

// Each fixture contains content that a content editor with bugs would lose.
const fixtures = {
	'content/blog/plain/index.md': `---
title: Plain
description: Before
date: 2026-03-14
tags: [news, "a, b", "2026"]
---

# A heading

Text with *emphasis*, a [link](../hello/index.md) and two spaces at the end.  
Next line.

> [!NOTE]
> An alert, and a footnote[^1].

| a | b |
|---|--:|
| 1 | \`x|y\` |

- [ ] one
* another kind of list

[^1]: The note.
`,
	'content/blog/times/index.md': `---
title: "Times: 'quoted'"
description: Before
date: 2026-03-14T09:30:00.5+02:00
updated: 2026-03-14 09:30
draft: false
unlisted: true
order: 3
layout: post
slug: zeiten-für-alle
aliases:
  - /old/times
  - /caf%C3%A9
author: "The Acorn & Söhne team"
image: cover.svg
---

Text.
`,
	'content/blog/params/index.md': `---
title: Params
description: Before
date: 2026-01-01
author: [first, second]
params:
  number: 5
  truth: true
  nothing:
  text: "0123"
  empty: ""
  list: [1, two, {three: 3}]
  deep: {deeper: {deepest: [a, b]}}
  day: 2026-01-01
---

{{ name }} costs what \`product.yaml\` says.
`,
	'content/blog/flat.md': `---
title: Flat
description: Before
date: 2026-02-02
tags: []
---

A page beside the others.
`,
	'content/docs/setup.md': `---
title: Set up
description: Before
---

A page that is no article.
`,
	'content/docs/toml.md': `+++
title = "TOML"
description = "Before"
date = 2026-03-14
updated = 2026-03-14T09:30:00Z
tags = ["a"]
+++

Text.
`,
	'content/docs/json.md': `{
  "title": "JSON",
  "description": "Before",
  "order": 2,
  "aliases": ["/old/json"]
}

Text.
`,
};

/** The location of each fixture in the editor: its collection and its entry. */
const entries = {
	'content/blog/plain/index.md': 'articles/entries/plain/index',
	'content/blog/times/index.md': 'articles/entries/times/index',
	'content/blog/params/index.md': 'articles/entries/params/index',
	'content/blog/flat.md': 'pages-blog/entries/flat',
	'content/docs/setup.md': 'pages-docs/entries/setup',
	'content/docs/toml.md': 'pages-docs/entries/toml',
	'content/docs/json.md': 'pages-docs/entries/json',
};

describe('the content editor', () => {
	let site, server, browser, page, base;
	const outside = [];
	const refusals = [];

	before(async () => {
		site = newSite();
		for (const [name, text] of Object.entries(fixtures)) write(name, text);
		write('content/blog/times/cover.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
		appendFileSync(path.join(site, 'content/site.yaml'), '\nadmin:\n  backend: {name: test-repo}\n');
		vitrine('new', 'admin', modules, '--root', site);
		[server, base] = await serve(site);
		browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
		page = await browser.newPage();
		page.on('response', (r) => { if (/^https?:/.test(r.url()) && !r.url().startsWith(base)) outside.push(r.url()); });
		page.on('console', (m) => { if (/Content Security Policy/.test(m.text())) refusals.push(m.text()); });
		await page.goto(`${base}/admin`);
		await page.evaluate(putFiles, [store, fixtures]);
		await page.reload();
		await page.getByRole('button', { name: /Test Repository/ }).click();
		await page.getByRole('button', { name: /New/ }).first().waitFor();
	});

	after(async () => {
		await browser?.close();
		server?.kill();
	});

	const write = (name, text) => {
		mkdirSync(path.dirname(path.join(site, name)), { recursive: true });
		writeFileSync(path.join(site, name), text);
	};

	test('the address with a slash redirects to it', async () => {
		const answer = await fetch(`${base}/admin/`, { redirect: 'manual' });
		assert.equal(answer.status, 308);
		assert.equal(answer.headers.get('location'), '/admin');
	});

	for (const name of Object.keys(fixtures)) {
		test(`${name} keeps unedited content`, async () => {
			await page.goto(`${base}/admin#/collections/${entries[name]}`);
			// The editor may still show the previous entry.
			await page.locator('h2', { hasText: parts(fixtures[name]).front.title }).first().waitFor();
			const field = page.locator('[data-key-path="description"] input').first();
			assert.equal(await field.inputValue(), 'Before');
			const save = page.getByRole('button', { name: 'Save', exact: true });
			// While the editor is still rendering the entry, it may drop the input, and Save stays disabled.
			for (let tries = 0; tries < 100; tries++) {
				await field.fill('After');
				await page.waitForTimeout(100);
				if (await save.isEnabled()) break;
			}
			await save.click();
			// After saving, the editor returns to the list.
			await page.waitForURL((url) => !url.hash.includes('/entries/'));
			const saved = await page.evaluate(readFile, [store, name]);
			const [before, after] = [parts(fixtures[name]), parts(saved)];
			assert.equal(after.mark, '---', 'the front matter is YAML');
			assert.equal(after.body.trimEnd(), before.body.trimEnd(), 'the text is unchanged');
			assert.deepEqual(comparable(after.front), { ...comparable(before.front), description: 'After' });
			write(name, saved);
		});
	}

	test('the site is valid after the edits', () => vitrine('check', '--root', site, '--drafts'));

	test('the editor sends no requests to other hosts', () => assert.deepEqual(outside, []));

	test('the policy blocks only fonts and the update check', () => {
		const others = refusals.filter((r) => !/fontsource|unpkg\.com\/@sveltia\/cms\/package\.json|Refused to connect/.test(r));
		assert.deepEqual(others, []);
	});
});

/** Splits a page into its front matter, which may be YAML, TOML, or JSON, and its text. */
function parts(text) {
	const [, mark, front, body] = /^(---|\+\+\+|\{)\n([^]*?)\n(?:\1|\})\n\n?([^]*)$/.exec(text);
	const read = { '---': parse, '+++': toml, '{': (members) => JSON.parse(`{${members}}`) }[mark];
	return { mark, front: read(front), body };
}

/** Parses the subset of TOML that the fixtures use. */
function toml(text) {
	const value = (v) => (/^\d{4}-/.test(v) ? v : JSON.parse(v));
	return Object.fromEntries(text.split('\n').map((l) => l.split(' = ')).map(([k, v]) => [k, value(v)]));
}

/** Returns front matter without empty keys, and with times in one form, for comparison. */
function comparable(front) {
	const isSet = ([, v]) => v !== false && v !== '' && v !== null && !(Array.isArray(v) && v.length === 0);
	const moment = (v) => (typeof v === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(v) ? new Date(v).toISOString() : v);
	return Object.fromEntries(Object.entries(front).filter(isSet).map(([k, v]) => [k, moment(v)]));
}

async function serve(root) {
	const child = spawn(process.env.VITRINE, ['serve', '--root', root, '--addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
	for await (const data of child.stdout) {
		const address = /serving http:\/\/([^/]+)\//.exec(data.toString());
		if (address) return [child, `http://${address[1]}`];
	}
	throw new Error('vitrine serve did not begin to serve');
}

function chromiumPath() {
	return process.env.CHROMIUM ?? execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'], { encoding: 'utf8' }).trim();
}

// The following runs in the browser.

async function putFiles([store, files]) {
	const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(store, { create: true });
	for (const [name, text] of Object.entries(files)) {
		const parts = name.split('/');
		let folder = root;
		for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part, { create: true });
		const file = await (await folder.getFileHandle(parts.at(-1), { create: true })).createWritable();
		await file.write(text);
		await file.close();
	}
}

async function readFile([store, name]) {
	let folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(store);
	const parts = name.split('/');
	for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part);
	return (await (await folder.getFileHandle(parts.at(-1))).getFile()).text();
}

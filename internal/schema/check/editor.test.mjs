// An editor with the YAML language server in a new site completes keys with their descriptions and marks unknown keys,
// whether the file's first line or the editor's settings name the schema.
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startServer } from './server.mjs';
import { newSite } from './site.mjs';

let site;
before(() => { site = newSite(); });

const read = (name) => readFileSync(path.join(site, name), 'utf8');

/** The settings in the site's .vscode/settings.json. */
function ownSettings() {
	const all = JSON.parse(read('.vscode/settings.json'));
	const yaml = { validate: true, completion: true, hover: true, schemaStore: { enable: false } };
	for (const [key, value] of Object.entries(all)) {
		if (key.startsWith('yaml.') && typeof value !== 'object') yaml[key.slice(5)] = value;
	}
	yaml.schemas = all['yaml.schemas'];
	return { yaml, http: {}, '[yaml]': {}, editor: {}, files: {}, vscodeYaml: {} };
}

/** Only the settings that keep the server off the network. */
function bareSettings() {
	return { yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false } } };
}

const withoutComment = (text) => text.replace(/^# yaml-language-server:.*\n/, '#\n');

for (const [how, settings, change] of [
	['the first line names the schema', bareSettings, (text) => text],
	['the settings name the schema', ownSettings, withoutComment],
]) {
	describe(how, () => {
		// Each test starts its own server, so that it doesn't receive the problems of other tests.
		let server;
		beforeEach(async () => { server = await startServer(site, settings()); });
		afterEach(() => server.stop());

		for (const name of ['content/product.yaml', 'content/site.yaml']) {
			test(`${name} of a new site has no problems`, async () => {
				const { diagnostics } = await server.open(name, change(read(name)));
				assert.deepEqual(diagnostics, []);
			});
		}

		test('completion suggests a key with its description', async () => {
			const text = change(read('content/site.yaml')) + 'sec\n';
			const { uri } = await server.open('content/site.yaml', text);
			const items = await server.complete(uri, text.split('\n').length - 2, 3);
			const item = items.find((i) => i.label === 'security');
			assert.ok(item, `offered: ${items.map((i) => i.label).join(', ')}`);
			assert.match(JSON.stringify(item.documentation), /The content of \/.well-known\/security.txt\./);
			assert.ok(!items.some((i) => i.label === 'title'), 'title is there already');
		});

		test('completion suggests a nested key', async () => {
			const text = change(read('content/site.yaml')) + 'robots:\n  contentSignal:\n    \n';
			const { uri } = await server.open('content/site.yaml', text);
			const labels = (await server.complete(uri, text.split('\n').length - 2, 4)).map((i) => i.label);
			for (const want of ['search', 'ai-input', 'ai-train']) assert.ok(labels.includes(want), `${labels}`);
		});

		test('completion suggests a key of a plan', async () => {
			const text = change(read('content/product.yaml')).replace('      monthlyPrice: 10\n', '      monthlyPrice: 10\n      inc\n');
			const line = text.split('\n').indexOf('      inc');
			const { uri } = await server.open('content/product.yaml', text);
			const labels = (await server.complete(uri, line, 9)).map((i) => i.label);
			assert.ok(labels.includes('includedCredits'), `${labels}`);
		});

		test('a wrong key is marked at its position', async () => {
			const text = change(read('content/site.yaml')).replace('timeZone: UTC', 'timezone: UTC');
			const { diagnostics } = await server.open('content/site.yaml', text);
			assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
			assert.match(diagnostics[0].message, /timezone/);
			const line = text.split('\n').indexOf('timezone: UTC');
			assert.deepEqual(diagnostics[0].range, { start: { line, character: 0 }, end: { line, character: 8 } });
		});

		test('a wrong value is marked at its position', async () => {
			const text = change(read('content/product.yaml')).replace('monthlyPrice: 10', 'monthlyPrice: ten');
			const { diagnostics } = await server.open('content/product.yaml', text);
			assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
			assert.equal(diagnostics[0].range.start.line, text.split('\n').findIndex((l) => l.includes('monthlyPrice: ten')));
			assert.match(diagnostics[0].message, /number/);
		});

		test('a missing fact is reported', async () => {
			const text = change(read('content/product.yaml')).replace(/^contact: .*\n/m, '');
			const { diagnostics } = await server.open('content/product.yaml', text);
			assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
			assert.match(diagnostics[0].message, /contact/);
		});

		test('an additional key in product.yaml is not a problem', async () => {
			const { diagnostics } = await server.open('content/product.yaml', change(read('content/product.yaml')) + 'languages: [en]\n');
			assert.deepEqual(diagnostics, []);
		});

		test('hovering over a key shows its description', async () => {
			const text = change(read('content/site.yaml'));
			const { uri } = await server.open('content/site.yaml', text);
			const line = text.split('\n').findIndex((l) => l.startsWith('baseURL'));
			const { baseURL } = JSON.parse(read('schemas/site.json')).properties;
			assert.ok((await server.hover(uri, line, 3)).includes(baseURL.description));
		});
	});
}

// An editor that supports YAML inside Markdown passes only the block to the server.
describe('front matter', () => {
	let server;
	const settings = bareSettings();
	beforeEach(async () => {
		settings.yaml.schemas = { './schemas/page.json': 'content/**/*.front.yaml' };
		server = await startServer(site, settings);
	});
	afterEach(() => server.stop());

	const front = () => /^---\n([^]*?)\n---\n/.exec(read('content/blog/hello/index.md'))[1] + '\n';

	test('a new article has no problems', async () => {
		const { diagnostics } = await server.open('content/hello.front.yaml', front());
		assert.deepEqual(diagnostics, []);
	});

	test('completion suggests keys', async () => {
		const text = front() + 'al\n';
		const { uri } = await server.open('content/hello.front.yaml', text);
		const labels = (await server.complete(uri, text.split('\n').length - 2, 2)).map((i) => i.label);
		for (const want of ['aliases', 'draft', 'slug', 'image']) assert.ok(labels.includes(want), `${labels}`);
	});

	test('a wrong key and a wrong date are marked', async () => {
		const { diagnostics } = await server.open('content/hello.front.yaml', 'titel: Hello\ndate: 24.12.2026\n');
		const lines = diagnostics.map((d) => d.range.start.line).sort();
		assert.deepEqual(lines, [0, 1], JSON.stringify(diagnostics));
	});
});

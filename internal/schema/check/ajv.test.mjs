// The schemas also work in Ajv, the usual JavaScript validator, in its strict mode, with documents read by a YAML parser other
// than the loader's.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { vitrine } from './site.mjs';

const validators = {};
for (const name of ['product', 'site', 'page']) {
	const schema = JSON.parse(vitrine('schema', name));
	// A key may accept a string or a map; that is intended.
	validators[name] = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema);
}

const cases = parse(readFileSync(new URL('../testdata/cases.yaml', import.meta.url), 'utf8'));
describe('documents', () => {
	for (const { about, schema, verdict, document } of cases) {
		test(about, () => {
			const passed = validators[schema](parse(document));
			assert.equal(passed, verdict !== 'refused', JSON.stringify(validators[schema].errors));
		});
	}
	test('there are more than 30 documents', () => assert.ok(cases.length > 30));
});

describe('schemas', () => {
	for (const [name, { schema }] of Object.entries(validators)) {
		test(`every key of ${name} has a description`, () => {
			const keys = [];
			walk(schema, '', keys);
			assert.ok(keys.length > 10);
			assert.deepEqual(keys.filter(([, about]) => !about), []);
		});
	}
});

function walk(schema, at, keys) {
	for (const [name, member] of Object.entries(schema.properties ?? {})) {
		if (member === false) continue;
		keys.push([`${at}.${name}`, member.description]);
		walk(member, `${at}.${name}`, keys);
	}
	if (schema.items) walk(schema.items, `${at}[]`, keys);
}

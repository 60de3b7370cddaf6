// A site as `vitrine new site` begins it, in a folder that goes away with the
// process. VITRINE names the tool.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Runs the tool and returns what it prints. */
export function vitrine(...args) {
	return execFileSync(process.env.VITRINE, args, { encoding: 'utf8' });
}

/** Begins a site and returns its folder. */
export function newSite() {
	const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-schema-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	vitrine('new', 'site', path.join(folder, 'site'), '--title', 'Acorn');
	return path.join(folder, 'site');
}

// Creates a site with `vitrine new site` in a folder that is removed when the process exits. VITRINE is the path of the
// tool.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Runs the tool and returns its standard output. */
export function vitrine(...args) {
	return execFileSync(process.env.VITRINE, args, { encoding: 'utf8' });
}

/** Creates a site and returns its folder. */
export function newSite() {
	const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-schema-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	vitrine('new', 'site', path.join(folder, 'site'), '--title', 'Acorn');
	return path.join(folder, 'site');
}

import { join } from 'node:path';
import { lint } from 'markdownlint/promise';
import { count } from '../lib/findings.mjs';

const config = {
  default: true,
  // Each paragraph is one line, because viewers wrap text.
  MD013: false,
  // Code may contain tabs, for example in Go and makefiles.
  MD010: { code_blocks: false },
  // Markdown can't set an ID that differs from the one generated from a heading, and addresses depend on such IDs.
  MD033: { allowed_elements: ['a'] },
};

/** Runs markdownlint on all Markdown except the full text of sections, which repeats elements that are unique on a page. */
export default async function twins(site, found) {
  const files = (await site.files('.md')).filter((file) => !/(^|\/)llms\/[^/]*-full[^/]*\.md$/.test(file));
  if (files.length === 0) found.add('public', 'there is no Markdown');
  const results = await lint({ files: files.map((file) => join(site.public, file)), config });
  for (const [path, errors] of Object.entries(results)) {
    for (const e of errors) {
      found.add(`${path.slice(site.public.length + 1)}:${e.lineNumber}`,
        [e.ruleNames.join('/'), e.ruleDescription, e.errorDetail, e.errorContext].filter(Boolean).join(' · '));
    }
  }
  return `markdownlint: ${count(files.length, 'twin')}`;
}

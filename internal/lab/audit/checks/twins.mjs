import { join } from 'node:path';
import { lint } from 'markdownlint/promise';
import { count } from '../lib/findings.mjs';

const config = {
  default: true,
  // A paragraph is one line: its viewer wraps it.
  MD013: false,
  // Tabs in code are the code's own, as in Go and in makefiles.
  MD010: { code_blocks: false },
  // Markdown has no other way to an id that is not made of its heading, which an address must not lose.
  MD033: { allowed_elements: ['a'] },
};

/** markdownlint on all Markdown except the full text of sections, in which the unique elements of pages repeat. */
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

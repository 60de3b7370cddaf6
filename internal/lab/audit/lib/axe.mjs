import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';

const require = createRequire(import.meta.url);

/** Returns the source of axe, which runs in the tested page. */
export function source() {
  return readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
}

/**
 * Runs axe on the open page, adds the violations to found, and returns the number of rules that ran. only lists the
 * rules to run. If it is undefined, all rules run.
 */
export async function examine(page, axe, place, found, only) {
  await page.evaluate(axe);
  const { violations, rules } = await page.evaluate(async (only) => {
    const results = await window.axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: { type: 'rule', values: only } }) });
    return {
      violations: results.violations.map((v) => ({ id: v.id, help: v.help, nodes: v.nodes.map((n) => `${n.html.slice(0, 160)} — ${n.failureSummary}`) })),
      rules: only ? only.length : window.axe.getRules().length,
    };
  }, only);
  for (const v of violations) for (const node of v.nodes) found.add(place, `${v.id}: ${v.help}\n${node}`);
  return rules;
}

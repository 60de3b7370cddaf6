import { exec } from './process.mjs';

/**
 * Validates an XML file against a schema with xmllint, and adds the errors to found. how is "schema" (XSD) or
 * "relaxng". It makes no network requests.
 */
export async function validate(file, how, schema, place, found) {
  const { code, stderr } = await exec('xmllint', ['--nonet', '--noout', `--${how}`, schema, file]);
  if (code === 0) return;
  const lines = stderr.split('\n').filter((line) => line && !line.endsWith(' fails to validate'));
  for (const line of lines.length ? lines : [`xmllint exited with ${code}`]) found.add(place, line.replace(`${file}:`, ''));
}

/**
 * Writes docs/reference/capabilities.md from docs/capabilities.json: what Quadrille can do, since when, and the page and the test of each.
 * The test of this folder compares both, and looks for pages that deny a row.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const DOCS = resolve(import.meta.dirname, '../../docs');

export const capabilities = () => JSON.parse(readFileSync(resolve(DOCS, 'capabilities.json'), 'utf8'));

/** The page, as the formatter leaves it but for the widths of columns. */
export function capabilitiesPage() {
  const rows = capabilities().map(
    ({ name, since, page, test }) => `| [${name}](../${page}) | ${since} | \`${test}\` |`,
  );
  return `# Capabilities

What Quadrille can do, and the tests that exercise it. The table is made from \`docs/capabilities.json\`. [What it is, and is not](../start/what-it-is.md) has the other side.

| capability | since | tests, among others |
| --- | --- | --- |
${rows.join('\n')}
`;
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(resolve(DOCS, 'reference/capabilities.md'), capabilitiesPage());

/** What docs/capabilities.json says, as text for its readers: what Quadrille can do, since when, and the page and the test of each. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const DOCS = resolve(import.meta.dirname, '../../docs');

export const capabilities = () => JSON.parse(readFileSync(resolve(DOCS, 'capabilities.json'), 'utf8'));

export function capabilitiesPage() {
  const rows = capabilities().map(
    ({ name, since, page, test }) => `| [${name}](../${page}) | ${since} | \`${test}\` |`,
  );
  return `# Capabilities

What Quadrille can do, and the tests that exercise it. The table is made from \`docs/capabilities.json\`: \`npm run docs\`. [What it is, and is not](../start/what-it-is.md) has the other side.

| capability | since | tests, among others |
| --- | --- | --- |
${rows.join('\n')}
`;
}

/** One line for each group, with links to the pages. `base` leads to the folder of the documents. */
export function capabilityGroups(base) {
  const groups = new Map();
  for (const row of capabilities()) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  return [...groups]
    .map(([group, rows]) => `- **${group}**: ${rows.map(({ name, page }) => `[${name}](${base}${page})`).join('; ')}`)
    .join('\n');
}

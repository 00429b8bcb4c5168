/**
 * The pages that follow from the code. `npm run docs` writes them, which is this test with `--update`; without it the test compares. A page is
 * made as a whole, or has tables between `<!-- table: NAME -->` and `<!-- end -->`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createProgram } from '@quadrille/cli';
import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import { METRICS } from '../../packages/server/src/documents/metrics.js';
import { rpcDocument } from '../../packages/server/src/rpc/document.js';
import { MethodRegistry } from '../../packages/server/src/rpc/methods/registry.js';
import { capabilitiesPage, capabilityGroups } from './capabilities.mjs';
import { ROOT } from './markdown.js';
import { commandsOf, commandText } from './references/commands.mjs';
import { resourcesTable } from './references/http-table.js';
import { LIMITS_TABLES } from './references/limits-tables.js';
import { settingsTables } from './references/settings-tables.js';

const output = { write: () => Promise.resolve() };
const shell = { stdout: output, stderr: output, columns: 100 } as unknown as Parameters<typeof createProgram>[0];
const program = createProgram(shell);
const commands = commandsOf(program);

function commandsPage(): string {
  return `# Commands

Every command of \`quadrille\`, with its arguments and options. The page is made from the program: \`quadrille COMMAND --help\` says the same in a shell. [Settings](settings.md)
explains the options of \`serve\`, and [the tour](../start/tour.md) shows the commands at work.

${commands.map((one) => `## ${one.name}\n\n${commandText(one, 3).replaceAll(/^### (?:Arguments|Options|Examples)\n\n/gm, '')}`).join('\n\n')}
`;
}

type Row = (typeof METRICS)[number];
const ofStore = ([name]: Row): boolean => /^quadrille_(?:store|disk_cache)_/.test(name);
const metricsTable = (rows: readonly Row[]): string =>
  `| metric | type | meaning |\n| --- | --- | --- |\n${rows.map(([name, type, help]) => `| \`${name}\` | ${type} | ${help} |`).join('\n')}`;

const TABLES: Readonly<Record<string, () => string>> = {
  capabilities: () => capabilityGroups('docs/'),
  metrics: () => metricsTable(METRICS.filter((row) => !ofStore(row))),
  'metrics of shared stores': () => metricsTable(METRICS.filter(ofStore)),
  resources: resourcesTable,
  ...settingsTables(program),
  ...LIMITS_TABLES,
};

/** A page with its tables made anew. */
const withTables = (path: string): string =>
  readFileSync(resolve(ROOT, path), 'utf8').replaceAll(
    /(<!-- table: (.*?) -->\n)[^]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}\n${TABLES[name]!()}\n\n${end}`,
  );

const PAGES: Readonly<Record<string, () => string>> = {
  'README.md': () => withTables('README.md'),
  'docs/reference/capabilities.md': capabilitiesPage,
  'docs/reference/commands.md': commandsPage,
  ...Object.fromEntries(
    ['http', 'limits', 'metrics', 'settings'].map((name) => {
      const path = `docs/reference/${name}.md`;
      return [path, () => withTables(path)];
    }),
  ),
  'docs/reference/rpc.md': rpcDocument,
};

test.each(Object.keys(PAGES))('%s is current: npm run docs writes it', async (path) => {
  const { code } = await format(path, PAGES[path]!(), { printWidth: 120, singleQuote: true });
  await expect(code).toMatchFileSnapshot(resolve(ROOT, path));
});

test('every command, method and metric has its place', () => {
  const page = commandsPage();
  for (const { name } of commands) expect(page).toContain(`\n## ${name}\n`);
  for (const { names, doc } of new MethodRegistry().methods) {
    expect(rpcDocument()).toContain(`### ${names[0]}\n`);
    expect(rpcDocument()).toContain(doc);
  }
  const metrics = withTables('docs/reference/metrics.md');
  expect(METRICS.length).toBeGreaterThan(25);
  for (const [name] of METRICS) expect(metrics).toContain(`| \`${name}\` |`);
});

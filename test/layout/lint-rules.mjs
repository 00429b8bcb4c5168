/**
 * The lint's import rules, made from the table packages.json: which package may use which, and where modules of Node.js may
 * not be imported. `node test/layout/lint-rules.mjs` writes them into .oxlintrc.json; layout.test.ts fails when they differ.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TESTS = ['**/*.test.ts', '**/testing/**', '**/testing.ts'];
const configFile = new URL('../../.oxlintrc.json', import.meta.url);

/** @returns the table: by the folder of a package, what it may use and where it runs */
export function readTable() {
  return JSON.parse(readFileSync(new URL('packages.json', import.meta.url), 'utf8'));
}

/** @returns the name under which a package is imported */
export function importName(folder) {
  return folder === 'quadrille' ? 'quadrille' : `@quadrille/${folder}`;
}

function ruleFor(folder, { uses, forbids = [] }, table, withoutNode) {
  const foreign = Object.keys(table).filter((other) => other !== folder && !uses.includes(other));
  const names = foreign.map(importName);
  const allowed = uses.length === 0 ? 'no other package' : uses.join(', ');
  const patterns = [
    {
      group: [...names, ...names.map((name) => `${name}/*`), ...forbids],
      message: `${folder} may import ${allowed} (test/layout/packages.json)`,
    },
  ];
  if (withoutNode)
    patterns.push({ group: ['node:*'], allowTypeImports: true, message: `${folder} also runs in browsers` });
  return { 'no-restricted-imports': ['error', { patterns }] };
}

/** @returns one override of the lint's configuration for each package, and one for each folder that differs from it */
export function lintOverrides(table) {
  return Object.entries(table).flatMap(([folder, entry]) => {
    const source = `packages/${folder}/src`;
    const override = (files, withoutNode, excludeFiles = TESTS) => ({
      files,
      excludeFiles,
      rules: ruleFor(folder, entry, table, withoutNode),
    });
    const node = (entry.node ?? []).map((inner) => `${source}/${inner}/**`);
    const overrides = [override([`${source}/**/*.ts`], entry.runs === 'anywhere', [...TESTS, ...node])];
    if (node.length > 0) overrides.push(override(node, false));
    if (entry.anywhere)
      overrides.push(
        override(
          entry.anywhere.map((inner) => `${source}/${inner}`),
          true,
        ),
      );
    return overrides;
  });
}

/** @returns the lint's configuration with the overrides of the table in place of those that it has */
export function withRules(config, table) {
  const others = config.overrides.filter(({ rules }) => rules['no-restricted-imports'] === undefined);
  return { ...config, overrides: [...others, ...lintOverrides(table)] };
}

/** @returns the lint's configuration as it stands */
export function readConfig() {
  return JSON.parse(readFileSync(configFile, 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(configFile, `${JSON.stringify(withRules(readConfig(), readTable()), null, 2)}\n`);
}

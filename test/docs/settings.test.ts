/** The table of settings names what the code has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '@quadrille/cli';
import { expect, test } from 'vitest';
import { ROOT } from './markdown.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const unique = (names: Iterable<string | undefined>): string[] => [...new Set([...names].map(String))].sort();

test('settings.md has every option of quadrille serve', () => {
  const output = { write: () => Promise.resolve() };
  const program = createProgram({ stdout: output, stderr: output } as unknown as Parameters<typeof createProgram>[0]);
  const serve = program.commands.find((command) => command.name() === 'serve');
  const options = serve?.options
    .map(({ long }) => long)
    .filter((name) => !['--json', '--config'].includes(String(name)));
  const table = read('docs/reference/settings.md')
    .split('\n')
    .filter((line) => line.startsWith('| `--'));
  const documented = table.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/--[\w-]+/g)].map(([name]) => name),
  );
  expect(unique(documented)).toEqual(unique(options ?? []));
});

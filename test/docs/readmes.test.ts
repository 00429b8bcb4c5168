/** Every program in the README of a package runs, and prints what stands behind it. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const PACKAGES = resolve(import.meta.dirname, '../../packages');
const names = (await readdir(PACKAGES, { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);
/** A block of code, what its first line says of it, and the text that it prints. */
const BLOCK = /```ts([^\n]*)\n([^]*?)\n```(?:\n\nprints\n\n```text\n([^]*?)\n```)?/g;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-readmes-'));
  await mkdir(join(folder, 'node_modules/@quadrille'), { recursive: true });
  for (const name of names)
    await symlink(
      join(PACKAGES, name),
      join(folder, 'node_modules', name === 'quadrille' ? name : `@quadrille/${name}`),
    );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(names)('%s', (name) => {
  test('has a README whose programs run', async () => {
    const text = await readFile(join(PACKAGES, name, 'README.md'), 'utf8');
    expect(text).toMatch(/^# (?:@quadrille\/)?[\w-]+\n\n[A-Z]/);
    let number = 0;
    for (const [, info = '', code = '', printed] of text.matchAll(BLOCK)) {
      if (/ no-run="[^"]+"/.test(info)) continue;
      const { outputText } = ts.transpileModule(code, {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      const file = join(folder, `${name}-${String(number++)}.mjs`);
      await writeFile(file, outputText);
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
      expect([stderr, stdout.replaceAll('\r\n', '\n').trimEnd()]).toEqual(['', printed]);
    }
  });
});

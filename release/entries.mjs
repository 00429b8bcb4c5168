// Lets this repository import the parts of `quadrille` as users do: `quadrille/server` here is a file that names `@quadrille/server`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isEntry, PUBLISHED, ROOT } from './packages.mjs';

for (const part of PUBLISHED.quadrille.parts.filter(isEntry)) {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'packages', part, 'package.json'), 'utf8'));
  for (const entry of Object.keys(exports).filter((each) => each !== './package.json')) {
    const name = part + entry.slice(1);
    const file = join(ROOT, 'packages/quadrille/dist/parts', name);
    mkdirSync(dirname(file), { recursive: true });
    for (const kind of ['js', 'd.ts']) writeFileSync(`${file}.${kind}`, `export * from '@quadrille/${name}';\n`);
  }
}

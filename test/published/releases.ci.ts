/** The example that publishes the releases of a vocabulary, over those of schema.org: each release can be asked on a web host. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { WebHost } from '@quadrille/storage-published/testing';
import { open } from 'quadrille';
import { expect, test } from 'vitest';
import { missing, SCHEMAORG_FOLDER } from '../data/shared-data.js';

const skipped = missing(join(SCHEMAORG_FOLDER, 'README.md'));
const EXAMPLE = resolve(import.meta.dirname, '../../examples/publish-releases.mjs');

test.skipIf(skipped !== '')(`the releases of schema.org on a web host${skipped}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quadrille-releases-'));
  const host = await WebHost.open({ file: (name) => readFile(join(folder, name)).catch(() => undefined) });
  try {
    const printed = execFileSync(process.execPath, [EXAMPLE, SCHEMAORG_FOLDER, folder], { encoding: 'utf8' });
    expect(printed).toMatch(/^52 revisions, 18061 quads at the head, /);
    const table = await readFile(join(SCHEMAORG_FOLDER, 'README.md'), 'utf8');
    const sizes = new Map(
      Array.from(table.matchAll(/^\| \S+ \| (\d+) \| \d+ \| \d+ \| (\d+) \|$/gm), ([, quads, number]) => [
        Number(number),
        Number(quads),
      ]),
    );
    expect(sizes.size).toBe(51);
    expect(readdirSync(folder).filter((name) => name === 'quadrille.json')).toHaveLength(1);
    await using database = await open(host.url);
    const repository = await database.repository('vocabulary/releases');
    for (const [number, size] of sizes) {
      const there = repository.at(number);
      expect([number, await there.size()]).toEqual([number, size]);
    }
    const [{ n }] = (await repository
      .at(2)
      .select('SELECT (COUNT(*) AS ?n) { ?class a rdfs:Class }', { values: 'js' })
      .toArray()) as [{ n: number }];
    expect(n).toBeGreaterThan(500);
    expect(await repository.log().toArray()).toHaveLength(52);
    expect((await repository.diff(2, 3).toArray()).length).toBe(471 + 13);
  } finally {
    await host.close();
    rmSync(folder, { recursive: true });
  }
});

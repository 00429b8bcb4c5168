/** The 52 releases of schema.org as revisions: exported, imported into another backend, and the same there. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, termToText } from 'quadrille';
import type { DiffEntry } from 'quadrille';
import { describe, expect, it } from 'vitest';
import { missing, SCHEMAORG_FOLDER } from './shared-data.js';

const skipped = missing(join(SCHEMAORG_FOLDER, 'README.md'));

const changes = async (entries: AsyncIterable<DiffEntry>): Promise<string[]> => {
  const found: string[] = [];
  for await (const { op, quad } of entries)
    found.push(
      [op, quad.subject, quad.predicate, quad.object]
        .map((part) => (typeof part === 'string' ? part : termToText(part)))
        .join(' '),
    );
  return found.toSorted();
};

describe.skipIf(skipped !== '')(`the history of schema.org in another store${skipped}`, () => {
  it('has the same revisions and differences', { timeout: 240_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'quadrille-schemaorg-'));
    const db = await open(join(directory, 'store'), { create: true, durability: 'process' });
    const other = await open(join(directory, 'copy'), { create: true, durability: 'process', backend: 'lmdb' });
    try {
      const repository = await db.repository('default/schema', { create: true });
      const files = readdirSync(SCHEMAORG_FOLDER).filter((name) => name.endsWith('.nt.gz'));
      for (const file of files.toSorted())
        await repository.load(join(SCHEMAORG_FOLDER, file), { replace: true, message: file, author: 'schema.org' });
      const copy = await other.repository('default/schema', { create: true });
      const text = (await repository.sync.exportHistory().toArray()).join('');
      expect(await copy.sync.importHistory({ text })).toEqual(await repository.revision());
      const log = await repository.log().toArray();
      expect(log).toHaveLength(52);
      expect(await copy.log().toArray()).toEqual(log);
      for (let number = 1; number < log.length; number++) {
        const theirs = await changes(repository.diff(number, number + 1));
        expect(await changes(copy.diff(number, number + 1)), `revision ${number + 1}`).toEqual(theirs);
      }
      expect(await other.verify()).toMatchObject({ ok: true, problems: [] });
    } finally {
      await db.close();
      await other.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

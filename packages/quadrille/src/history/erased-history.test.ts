/** Histories with erasures, as files and clones. */
import { expect, test } from 'vitest';
import type { Repository } from '../index.js';
import { iri } from '../index.js';
import { memory, q } from '../testing/fixtures.js';
import { historyOf, sortedRows } from '../testing/histories.js';

const emptyRepository = async (): Promise<Repository> => (await memory()).repository('acme/copy', { create: true });

/** A revision has nothing left, another a part, and erasures follow on two branches. */
async function erased(): Promise<Repository> {
  const main = await (await memory()).repository('acme/people', { create: true });
  await main.add(q('a p o'));
  await main.add(q('secret p o'), { message: 'only the secret' });
  await main.add([q('b p o'), q('b p secret')]);
  const dev = await main.branches.open('dev', { create: true });
  await dev.remove(q('secret p o'));
  await dev.add(q('d p o'));
  await main.remove(q('b p secret'));
  await main.maintenance.erase({ term: iri('http://example.org/secret') }, { reason: 'asked for' });
  await main.add(q('e p o'));
  await main.branches.merge('dev');
  return main;
}

test('an erased history is exported, imported and cloned', async () => {
  const original = await erased();
  for (const branches of ['this', 'all'] as const) {
    const text = await historyOf(original, { branches });
    expect(text).not.toContain('secret>');
    const copy = await emptyRepository();
    await copy.sync.importHistory({ text });
    // Nothing was erased from the copy.
    const log = (await original.log().toArray()).map((revision) => ({ ...revision, erasures: undefined }));
    expect(await copy.log().toArray()).toEqual(log);
    expect(await copy.proof.digest()).toBe(await original.proof.digest());
    expect(await copy.maintenance.verify()).toMatchObject({ ok: true, problems: [] });
    // Once more: what is there is compared.
    await copy.sync.importHistory({ text });
    expect(sortedRows(await historyOf(copy, { branches }))).toEqual(sortedRows(text));
  }
});

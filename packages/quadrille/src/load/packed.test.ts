import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BZIP2, PLAIN, ZEROS, ZSTD } from '../../../formats/src/testing-packed.js';
import { directory, repository } from '../testing/fixtures.js';

async function file(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(await directory(), name);
  await writeFile(path, bytes);
  return path;
}

test.each([
  ['a.nt.bz2', BZIP2],
  ['a.nt.zst', ZSTD],
])('the file %s is unpacked, within the bounds of the load', async (name, bytes) => {
  const repo = await repository();
  const path = await file(name, bytes);
  const fractions: (number | undefined)[] = [];
  await repo.load(path, {
    onProgress: ({ fraction, bytesRead }) => fractions.push(bytesRead === bytes.length ? fraction : 0),
  });
  expect([await repo.size(), fractions.at(-1)]).toEqual([140, 1]);
  const length = 2 * new TextEncoder().encode(PLAIN).length;
  await repo.load(path, { maxBytes: length, replace: true });
  for (const limit of [{ maxBytes: length - 1 }, { maxBytes: 0 }])
    await expect(repo.load(path, limit)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' });
  // By its first bytes, whatever it is called.
  await repo.load(await file('a.nt', bytes), { replace: true });
  expect(await repo.size()).toBe(140);
});

test('a small file that becomes a large one is refused where the ratio has a limit', async () => {
  const repo = await repository();
  await expect(repo.load(await file('zeros.nt.bz2', ZEROS), { maxRatio: 10 })).rejects.toMatchObject({
    code: 'INPUT_TOO_LARGE',
  });
});

test('only files are unpacked so, and a stream of such bytes is told', async () => {
  const repo = await repository();
  await expect(repo.load(BZIP2, { format: 'nt' })).rejects.toThrow('the document seems to be bzip2, not N-Triples');
  await expect(repo.load(new Blob([ZSTD as BlobPart]).stream(), { format: 'nt' })).rejects.toThrow('seems to be zstd');
});

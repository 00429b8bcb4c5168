import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Backend, type Database, open } from '../index.js';
import { directory, q } from '../testing/fixtures.js';
import { ContentState } from './content-state.js';
import { hexOf } from '../history/hex.js';
import { loadSha256, portableSha256 } from '../history/sha256.js';
import { loadHashes } from './hashes.js';
import type { Lines } from './line-hash.js';

const pem = (key: { export(options: object): unknown }, type: string): string =>
  String(key.export({ type, format: 'pem' }));
function keys(): { secret: string; open: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { secret: pem(privateKey, 'pkcs8'), open: pem(publicKey, 'spki') };
}

/** Twelve revisions, in which quads come, go and come back, and one with a graph and all kinds of terms. */
async function fill(db: Database): Promise<ReturnType<Database['repository']>> {
  const repo = await db.repository('a/r', { create: true });
  for (let n = 0; n < 10; n++)
    await repo.transaction(
      async (tx) => {
        await tx.add(q(`s${String(n)} p o`));
        if (n % 3 === 2) await tx.remove(q(`s${String(n - 1)} p o`));
      },
      { message: `n ${String(n)}`, author: 'ann' },
    );
  await repo.load(
    {
      text: '<urn:g> { <urn:a> <urn:p> "x"@EN-gb, "tab\\t", 1, _:b . << <urn:a> <urn:b> <urn:c> ~ <urn:r> >> <urn:p> 2 . }',
    },
    { format: 'trig' },
  );
  return repo;
}

test('SHA-256 without Node.js is the same', async () => {
  const [node, portable] = [(await loadSha256())(), (await portableSha256())()];
  for (const hash of [node, portable]) for (const part of ['', 'é'.repeat(500)]) hash.update(part);
  expect(hexOf(portable.bytes())).toBe(hexOf(node.bytes()));
});

test('golden: the content hash of no quads and of one', async () => {
  const state = new ContentState(await loadHashes());
  const empty = hexOf(state.hash());
  expect(empty).toBe('e5a00aa9991ac8a5ee3109844d84a55583bd20572ad3ffcd42792f3c36b183ad');
  const bytes = new TextEncoder().encode('<urn:s> <urn:p> "o" .\n');
  const change = (sign: 1 | -1): Promise<number> =>
    state.change(async (take) => take({ bytes, lengths: Int32Array.of(sign * bytes.length), count: 1 }));
  expect(await change(1)).toBe(1);
  expect(hexOf(state.hash())).toBe('7dedaae3817cebd26891baec7ddfe0656dd71518704bd69292717c1fe554d1fd');
  await change(-1);
  expect(hexOf(state.hash())).toBe(empty);
});

test('a thread that hashes many lines gives the same state, and an error ends it', async () => {
  const batch = (count: number, signs: readonly number[], length = 10): Lines => {
    const texts = Array.from({ length: count }, (_, i) =>
      Buffer.from(`<urn:s${i}> <urn:p> "${'o'.repeat(length)}" .\n`),
    );
    const lengths = Int32Array.from(texts, (text, i) => signs[i % signs.length]! * text.length);
    return { bytes: Buffer.concat(texts), lengths, count };
  };
  const batches = [...Array<Lines>(600).fill(batch(100, [1, 1, -1])), batch(1, [1], 300_000), batch(100, [1])];
  const read = async (take: (lines: Lines) => Promise<void> | undefined): Promise<void> => {
    for (const lines of batches) await take(lines);
  };
  const hashes = await loadHashes();
  const states = [new ContentState(hashes), new ContentState({ ...hashes, openThread: undefined })];
  for (const state of states) expect(await state.change(read)).toBe(60_101);
  expect(hexOf(states[0]!.bytes())).toBe(hexOf(states[1]!.bytes()));
  const failing = states[0]!.change(async (take) => {
    await read(take);
    throw new Error('the reader fails');
  });
  await expect(failing).rejects.toThrow('the reader fails');
});

test('the content hash depends on the quads alone, the digest on the history too', async () => {
  const db = await open(':memory:');
  const [one, two] = [await db.repository('a', { create: true }), await db.repository('b', { create: true })];
  await one.add([q('a p b'), q('c p d')]);
  await two.add(q('c p d'));
  await two.add(q('e p f'));
  await two.transaction(async (tx) => {
    await tx.add(q('a p b'));
    await tx.remove(q('e p f'));
  });
  expect(await two.proof.contentHash()).toBe(await one.proof.contentHash());
  expect(await two.proof.contentHash(1)).toBe(await one.proof.contentHash('TAIL'));
  expect(await two.proof.contentHash(2)).not.toBe(await one.proof.contentHash());
  expect(await two.proof.digest()).not.toBe(await one.proof.digest());
  expect(await two.proof.digest()).toMatch(/^[0-9a-f]{64}$/);
  await db.close();
});

describe.each(['leveldb', 'lmdb'] as const)('%s', (backend: Backend) => {
  test('a copied history has the same digests at each revision, in memory too', async () => {
    const db = await open(join(await directory(), 'store'), { backend });
    const repo = await fill(db);
    const copies = await open(':memory:');
    const copy = await copies.repository('x/y', { create: true });
    await copy.sync.importHistory({ text: (await repo.sync.exportHistory().toArray()).join('') });
    const head = (await repo.revision()).number;
    // From the last to the first, and the other way round: the known states differ, the answers do not.
    for (let n = 1; n <= head; n++)
      expect([n, await copy.proof.digest(n)]).toEqual([
        n,
        await repo.proof.digest(head + 1 - n).then(() => repo.proof.digest(n)),
      ]);
    for (let n = 1; n <= head; n++) {
      const walked = await copy.proof.contentHash(n);
      expect([n, walked]).toEqual([n, await repo.proof.contentHash(n)]);
    }
    await db.close();
    await copies.close();
  });
});

test('the digest of a branch goes on from that of its base, and covers merges; a copy of one branch can be checked', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('a/r', { create: true });
  await repo.add(q('a p b'));
  const branch = await repo.branches.open('side', { create: true });
  expect(await branch.proof.digest()).toBe(await repo.proof.digest());
  await branch.add(q('c p d'));
  await repo.add(q('e p f'));
  const merge = await repo.branches.merge('side');
  expect(merge.kind).toBe('merge');
  expect(await repo.proof.verify()).toMatchObject({ ok: true, revisions: 4 });
  expect(await branch.proof.verify()).toMatchObject({ ok: true, revisions: 3 });
  const copies = await open(':memory:');
  const copy = await copies.clone('x/y', repo);
  expect(await copy.proof.digest()).toBe(await repo.proof.digest());
  expect(await copy.proof.contentHash()).toBe(await repo.proof.contentHash());
  await db.close();
  await copies.close();
});

test('states are kept, so that a later digest need not begin at the first revision', async () => {
  const path = join(await directory(), 'store');
  const text = Array.from({ length: 5000 }, (_, i) => `<urn:s${String(i)}> <urn:p> "${String(i)}" .`).join('\n');
  let db = await open(path);
  let repo = await db.repository('a/r', { create: true });
  await repo.load({ text }, { format: 'nt' });
  await repo.add(q('a p b'));
  const [digest, content] = [await repo.proof.digest(), await repo.proof.contentHash(2)];
  await db.close();
  db = await open(path, { readOnly: true });
  repo = await db.repository('a/r');
  expect([await repo.proof.digest(), await repo.proof.contentHash(2)]).toEqual([digest, content]);
  expect(await repo.proof.verify()).toMatchObject({ ok: true, digest, revisions: 3, problems: [] });
  expect((await repo.maintenance.verify()).ok).toBe(true);
  await db.close();
});

test('signatures vouch for a revision and all before it', async () => {
  const [ours, theirs] = [keys(), keys()];
  const db = await open(':memory:');
  const repo = await fill(db);
  const missing = await repo.proof.verify({ key: ours.open });
  expect(missing).toMatchObject({ ok: false, problems: [{ code: 'SIGNATURE_MISSING' }], signedUpTo: undefined });
  const signed = await repo.proof.sign(ours.secret, { ref: 5 });
  expect(signed).toMatchObject({ revision: { number: 5 }, keyId: expect.stringMatching(/^[0-9a-f]{16}$/) });
  await repo.proof.sign(theirs.secret);
  expect(
    (await repo.proof.signatures().toArray()).map(({ revision, keyId }) => [revision.number, keyId === signed.keyId]),
  ).toEqual([
    [5, true],
    [12, false],
  ]);
  expect(await repo.proof.verify({ key: ours.open })).toMatchObject({
    ok: true,
    validSignatures: 1,
    uncheckedSignatures: 1,
    signedUpTo: { number: 5 },
  });
  // A signature that says to be of our key, and is of another one.
  await repo.proof.sign({ keyId: signed.keyId, sign: () => new Uint8Array(64) }, { ref: 7 });
  expect(await repo.proof.verify({ key: ours.open })).toMatchObject({
    ok: false,
    problems: [{ code: 'SIGNATURE_INVALID', where: 'a/r revision 7' }],
  });
  await db.close();
});

test('with a signer each revision is signed, also those that an earlier run has left', async () => {
  const path = join(await directory(), 'store');
  const { secret, open: key } = keys();
  const numbers = async (): Promise<number[]> => {
    const db = await open(path, { readOnly: true });
    const repo = await db.repository('a/r');
    expect(await repo.proof.verify({ key })).toMatchObject({ ok: true });
    const signed = (await repo.proof.signatures().toArray()).map(({ revision }) => revision.number);
    await db.close();
    return signed;
  };
  const commits = async (signer: string | undefined, texts: readonly string[]): Promise<void> => {
    const db = await open(path, { signer });
    const repo = await db.repository('a/r', { create: true });
    for (const text of texts) await repo.add(q(text));
    await db.close();
  };
  await commits(secret, ['a p b', 'c p d']);
  expect(await numbers()).toEqual([2, 3]);
  await commits(undefined, ['e p f']);
  await commits(secret, ['g p h']);
  expect(await numbers()).toEqual([2, 3, 4, 5]);
});

test('what is wrong is said, and changes nothing', async () => {
  const db = await open(':memory:');
  const repo = await fill(db);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { secret, open: key } = keys();
  const wrong: Record<string, [() => Promise<unknown>, string]> = {
    'no key': [() => repo.proof.sign('hello'), 'INVALID_OPTION'],
    'a public key': [() => repo.proof.sign(key), 'INVALID_OPTION'],
    'a key of RSA': [() => repo.proof.sign(pem(rsa.privateKey, 'pkcs8')), 'INVALID_OPTION'],
    'no signer': [() => repo.proof.sign({} as never), 'INVALID_OPTION'],
    'a signer without a proper name': [
      () => repo.proof.sign({ keyId: 'a/b', sign: () => new Uint8Array(64) }),
      'INVALID_OPTION',
    ],
    'a short signature': [() => repo.proof.sign({ keyId: 'a', sign: () => new Uint8Array(63) }), 'INVALID_OPTION'],
    'a revision that is not there': [() => repo.proof.sign(secret, { ref: 99 }), 'REVISION_NOT_FOUND'],
    'a private key to verify with': [() => repo.proof.verify({ key: secret }), 'INVALID_OPTION'],
    'no key to verify with': [() => repo.proof.verify({ key: '' }), 'INVALID_OPTION'],
    'an option that is not there': [() => repo.proof.digest('HEAD', { at: 3 } as never), 'INVALID_OPTION'],
    'an aborted digest': [() => repo.proof.digest('HEAD', { signal: AbortSignal.abort() }), 'ABORTED'],
    'an aborted hash': [() => repo.proof.contentHash('HEAD', { signal: AbortSignal.abort() }), 'ABORTED'],
  };
  for (const [what, [call, code]] of Object.entries(wrong)) await expect(call(), what).rejects.toMatchObject({ code });
  expect(await repo.proof.signatures().toArray()).toEqual([]);
  await expect(open(':memory:', { signer: 'x' })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await db.close();
});

import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { Bytes, Damage } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Area, areaKey, dataKey, putU32, Tag, textKey } from '../format/layout.js';
import { platformEnv } from '../runtime/env.js';
import { Store } from '../store.js';
import { contents, many, q, SMALL } from '../testing/fixture.js';
import { losesUnseen } from './remains.js';
import { recoverStore } from './recover-store.js';
import type { RecoveryReport } from './report.js';

const env = platformEnv();
const open = async (driver: MemoryDriver): Promise<Store> =>
  Store.open(await StorageEngine.open(driver), { env, tuning: SMALL, cacheBytes: 1 });

let driver: MemoryDriver;
let copy: Store | undefined;
beforeEach(async () => {
  driver = new MemoryDriver();
  const store = await open(driver);
  for (const name of ['a/one', 'a/two', 'b/three']) {
    const repository = await store.repository(name, true);
    await repository.commit(many(name.slice(2), 30), []);
    await repository.commit([q('more p o g')], many(name.slice(2), 3));
  }
  await store.accounts.create('c');
  await store.accounts.namespaces('c').set('ex', new TextEncoder().encode('http://e/'));
  await store.records.write([{ key: 'token/1', value: { account: 'a' } }]);
  await store.close();
});
afterEach(async () => {
  await copy?.close();
  copy = undefined;
});

const repositoryKey = (name: string): Bytes => textKey(areaKey(Area.repository), name);

async function damage(...keys: readonly Bytes[]): Promise<void> {
  for (const key of keys) {
    const value = (await driver.get(key))!.slice();
    value[value.length - 1]! ^= 1;
    await driver.write([{ type: 'put', key, value }], { durable: true });
  }
}

async function recover(damages: readonly Damage[] = []): Promise<RecoveryReport> {
  const [source, fresh] = [await StorageEngine.open(driver), new MemoryDriver()];
  const target = await StorageEngine.open(fresh);
  const report = await recoverStore(source, target, { env, damages, tuning: SMALL });
  await Promise.all([source.close(), target.close()]);
  copy = await open(fresh);
  expect((await copy.verify()).problems).toEqual([]);
  return report;
}

const names = async (): Promise<string[]> => [...(await copy!.repositories()).keys()];

describe('recovery of a catalogue', () => {
  it('keeps all that is whole, and goes on with the numbers of repositories', async () => {
    const report = await recover();
    expect(report.problems).toEqual([]);
    expect(report.repositories.map(({ name, revisionsKept }) => [name, revisionsKept])).toEqual([
      ['a/one', 3],
      ['a/two', 3],
      ['b/three', 3],
    ]);
    expect(await copy!.accounts.list()).toEqual(['a', 'b', 'c']);
    expect([...(await copy!.accounts.namespaces('c').list()).keys()]).toEqual(['ex']);
    expect(await copy!.records.get('token/1')).toEqual({ account: 'a' });
    await copy!.repository('d/new', true);
    expect((await copy!.record('d/new'))!.id).toBe(4);
  });

  it('finds the data of the one repository whose entry is damaged', async () => {
    await damage(repositoryKey('a/two'));
    const { repositories, problems } = await recover();
    expect(repositories[1]).toEqual({ name: 'a/two', revisionsKept: 3, revisionsLost: 0, quadsLost: 0 });
    expect(await contents(await copy!.repository('a/two'))).toHaveLength(28);
    expect(problems).toMatchObject([{ code: 'CHECKSUM', lost: true, where: expect.stringContaining('a/two') }]);
  });

  it('gives repositories a name where theirs cannot be told', async () => {
    await damage(repositoryKey('a/two'), repositoryKey('b/three'));
    const { problems } = await recover();
    expect(await names()).toEqual(['a/one', 'recovered/repository-2', 'recovered/repository-3']);
    expect(await contents(await copy!.repository('recovered/repository-3'))).toContain('three29 p o29');
    expect(problems.filter(({ lost }) => lost)).toHaveLength(6);
  });

  it('looks for data without a name only where a name may be missing', async () => {
    await driver.write([{ type: 'delete', key: repositoryKey('a/two') }], { durable: true });
    await recover();
    expect(await names()).toEqual(['a/one', 'b/three']);
    await copy!.close();
    await recover([
      { message: 'a block of the catalogue', missing: { from: repositoryKey('a'), to: repositoryKey('b') } },
    ]);
    expect(await names()).toEqual(['a/one', 'b/three', 'recovered/repository-2']);
    await copy!.close();
    // A repository whose deletion has begun is not recovered.
    const dropped = new Uint8Array(5);
    dropped[0] = Area.dropped;
    putU32(dropped, 1, 2);
    const engine = await StorageEngine.open(driver);
    await engine.write([{ type: 'put', key: dropped, value: new Uint8Array(0) }], { durable: true });
    await recover([{ message: 'anything', missing: 'anywhere' }]);
    expect(await names()).toEqual(['a/one', 'b/three']);
  });

  it('says which accounts, prefixes and records are lost; the account of a repository is made again', async () => {
    await damage(textKey(areaKey(Area.account), 'a'), textKey(areaKey(Area.accountNamespace), 'c\0ex'));
    await damage(textKey(areaKey(Area.service), 'token/1'), areaKey(Area.store));
    const { problems } = await recover();
    expect(problems.map(({ where, lost }) => [where, lost])).toEqual([
      ['store', false],
      ['the account a', true],
      ['a prefix of the account c ex', true],
      ['the record of the server token/1', true],
    ]);
    expect(await copy!.accounts.list()).toEqual(['a', 'b', 'c']);
    expect([...(await copy!.accounts.namespaces('c').list()).keys()]).toEqual([]);
    await copy!.repository('d/new', true);
    expect((await copy!.record('d/new'))!.id).toBe(4);
  });

  it('leaves a repository of which nothing can be read empty, with its name', async () => {
    await damage(dataKey(1, Tag.log, 1));
    const { repositories } = await recover();
    expect(repositories[0]).toEqual({ name: 'a/one', revisionsKept: 0, revisionsLost: 3, quadsLost: 31 });
    expect(await contents(await copy!.repository('a/one'))).toEqual([]);
    await (await copy!.repository('a/one')).commit([q('s p o')], []);
    expect((await copy!.verify()).problems).toEqual([]);
  });
});

describe('recovery of a log', () => {
  it('drops tags of revisions that are lost, keeps the others, and says so', async () => {
    const store = await open(driver);
    const repository = await store.repository('a/one');
    for (const number of [2, 3]) await repository.tags.set(`v${number}`, (await repository.resolve(number)).id);
    await store.close();
    await damage(dataKey(1, Tag.log, 3));
    const { repositories, problems } = await recover();
    expect(repositories[0]).toMatchObject({ revisionsKept: 2, revisionsLost: 1 });
    expect([...(await (await copy!.repository('a/one')).tags.list()).keys()]).toEqual(['v2']);
    expect(problems.map(({ where }) => where)).toEqual(['a/one revision 3', 'a/one tag v3']);
  });

  it('keeps revisions that the head does not know of, and says where the head cannot be read', async () => {
    await damage(dataKey(1, Tag.head));
    const { repositories, problems } = await recover();
    expect(repositories[0]).toMatchObject({ revisionsKept: 3, revisionsLost: 0 });
    expect(problems).toMatchObject([{ code: 'LOG_BROKEN', lost: true, where: 'a/one head' }]);
  });

  it('counts the revisions up to the head where none of their records are left', async () => {
    for (const number of [2, 3])
      await driver.write([{ type: 'delete', key: dataKey(1, Tag.log, number) }], { durable: true });
    const { repositories, problems } = await recover();
    // The second commit was a large change, so its statistics are stored.
    expect(repositories[0]).toMatchObject({ revisionsKept: 1, revisionsLost: 2, quadsLost: 30 });
    expect(problems[0]!.message).toMatch(/revisions 2 to 3 are lost; nothing is known about the quads of the last 1/);
  });
});

describe('a recovery that cannot be done', () => {
  it('ends with the error of the target, or of the signal', async () => {
    const source = await StorageEngine.open(driver);
    const full = new FaultDriver(new MemoryDriver());
    const target = await StorageEngine.open(full);
    full.setFault({ operations: ['write'], at: 3, effect: 'full', repeat: 'forever' });
    await expect(recoverStore(source, target, { env, damages: [] })).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const signal = AbortSignal.abort(new Error('enough'));
    const other = await StorageEngine.open(new MemoryDriver());
    const slow = { ...env, ticks: () => Infinity };
    await expect(recoverStore(source, other, { env: slow, damages: [], signal })).rejects.toThrow('enough');
  });

  it('refuses a store of a newer format', async () => {
    const engine = await StorageEngine.open(driver);
    await engine.write([{ type: 'put', key: areaKey(Area.store), value: Uint8Array.of(99, 1) }], { durable: true });
    await expect(recover()).rejects.toMatchObject({ code: 'FORMAT_VERSION' });
  });
});

describe('damage of the storage', () => {
  const loses = (from: Bytes, to: Bytes): boolean => losesUnseen({ message: '', missing: { from, to } });

  it('loses nothing unseen where only log, terms and indexes can be missing', () => {
    expect(loses(dataKey(1, Tag.root), dataKey(1, Tag.log, 7))).toBe(false);
    expect(loses(dataKey(1, Tag.log, 7), dataKey(1, Tag.garbage, 7))).toBe(false);
    expect(loses(dataKey(1, Tag.rewritten), dataKey(2, Tag.head))).toBe(false);
    expect(loses(new Uint8Array(257).fill(0xff), new Uint8Array(258).fill(0xff))).toBe(false);
    expect(losesUnseen({ message: '' })).toBe(false);
  });

  it('may lose prefixes, tags, settings, the catalogue and whole repositories', () => {
    expect(loses(dataKey(1, Tag.block), dataKey(1, Tag.namespace))).toBe(true);
    expect(loses(dataKey(1, Tag.tag), dataKey(1, Tag.dictionary))).toBe(true);
    expect(loses(dataKey(1, Tag.dictionary), dataKey(1, Tag.rewritten))).toBe(true);
    expect(loses(dataKey(1, Tag.block), dataKey(2, Tag.head))).toBe(true);
    expect(loses(dataKey(1, Tag.block), Uint8Array.of(0x11))).toBe(true);
    expect(loses(areaKey(Area.service), dataKey(1, Tag.log))).toBe(true);
    expect(loses(new Uint8Array(0), areaKey(Area.store))).toBe(true);
    expect(losesUnseen({ message: '', missing: 'anywhere' })).toBe(true);
  });
});

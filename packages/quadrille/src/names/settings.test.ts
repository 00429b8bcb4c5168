import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SettingsChange } from '../index.js';
import { open, recover, restore } from '../index.js';
import { directory, memory, q, repository } from '../testing/fixtures.js';

const AGE = 'http://xmlns.com/foaf/0.1/age';

test('settings are changed, reset and kept', async () => {
  const path = await directory();
  const db = await open(join(path, 'store'));
  const repo = await db.repository('acme/people', { create: true });
  const { settings } = repo;
  expect(await settings.get()).toMatchObject({ functional: [] });
  expect(await settings.set({})).toMatchObject({ functional: [] });
  expect(await settings.set({ functional: [AGE, 'urn:p', AGE] })).toMatchObject({ functional: [AGE, 'urn:p'] });
  expect(await settings.set({ functional: undefined })).toMatchObject({ functional: [AGE, 'urn:p'] });
  expect(await (await db.repository('acme/other', { create: true })).settings.get()).toMatchObject({ functional: [] });
  expect(await repo.log().toArray()).toHaveLength(1);
  await repo.add([q('a p b')]);
  expect(await repo.maintenance.verify()).toMatchObject({ ok: true });
  await db.backup(join(path, 'backup'));
  await settings.set({ functional: ['urn:q'] });
  await db.close();

  await restore(join(path, 'backup'), join(path, 'restored'));
  await recover(join(path, 'store'));
  for (const [place, functional] of [
    ['store', ['urn:q']],
    ['store.recovered', ['urn:q']],
    ['restored', [AGE, 'urn:p']],
  ] as const) {
    const again = await open(join(path, place));
    const kept = (await again.repository('acme/people')).settings;
    expect(await kept.get(), place).toMatchObject({ functional });
    expect(await kept.set({ functional: null })).toMatchObject({ functional: [] });
    await again.close();
  }
});

test('a repository that takes the name of another has no settings', async () => {
  const db = await memory();
  const repo = await db.repository('acme/people', { create: true });
  await repo.settings.set({ functional: [AGE] });
  await db.deleteRepository('acme/people');
  await expect(repo.settings.get()).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
  await expect(repo.settings.set({ functional: [] })).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
  const again = await db.repository('acme/people', { create: true });
  expect(await again.settings.get()).toMatchObject({ functional: [] });
});

test('what cannot be set changes nothing and says what is wrong', async () => {
  const { settings } = await repository();
  await settings.set({ functional: [AGE] });
  for (const [change, message] of [
    [
      { functionel: [AGE] },
      /unknown option "functionel": did you mean functional\? \(known: functional, shapes, shapesStrict, shapesMode, shapesSince, defaultBranch, protected, retention, search\)/,
    ],
    [JSON.parse('{"__proto__":[]}'), /unknown option "__proto__"/],
    [{ functional: AGE }, /functional must be null or a list of at most 1000 absolute IRIs, not "http/],
    [{ functional: ['age'] }, /a list of at most 1000 absolute IRIs/],
    [{ functional: [7] }, /a list/],
    [{ functional: Array.from({ length: 1001 }, (_, i) => `urn:${i}`) }, /at most 1000/],
    [{ functional: Array.from({ length: 900 }, (_, i) => `urn:${i}:${'x'.repeat(90)}`) }, /may have 60000/],
    [{ shapes: 'shapes' }, /shapes must be null or an absolute IRI, not "shapes"/],
    [{ defaultBranch: '' }, /defaultBranch must be null or the name of a branch, not ""/],
    [{ protected: 'main' }, /protected must be null or a list of at most 100 names of branches/],
    [{ protected: ['a b'] }, /a list of at most 100 names/],
    [{ shapesStrict: 'yes' }, /shapesStrict must be null or true or false/],
    [undefined, /settings: options must be an object/],
    [null, /settings: options must be an object/],
    [[], /not a list/],
  ] as const)
    await expect(settings.set(change as SettingsChange)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(message),
    });
  expect(await settings.get()).toMatchObject({ functional: [AGE] });
});

test('changes at the same time are made one after the other, and no member is lost', async () => {
  const { settings } = await repository();
  const lists = Array.from({ length: 20 }, (_, i) => [`urn:${i}`]);
  await Promise.all(lists.map((functional) => settings.set({ functional })));
  expect(lists).toContainEqual((await settings.get()).functional);
});

test('a store that is read only has settings to read', async () => {
  const path = await directory();
  const db = await open(path);
  await (await db.repository('x', { create: true })).settings.set({ functional: [AGE] });
  await db.close();
  const again = await open(path, { readOnly: true });
  const { settings } = await again.repository('x');
  expect(await settings.get()).toMatchObject({ functional: [AGE] });
  await expect(settings.set({ functional: [] })).rejects.toMatchObject({ code: 'READ_ONLY' });
  await again.close();
});

test('the default branch is one that is there, and stays', async () => {
  const repo = await repository();
  const { settings, branches } = repo;
  expect(await settings.get()).toEqual({
    functional: [],
    shapes: undefined,
    shapesStrict: false,
    shapesMode: 'refuse',
    shapesSince: 'always',
    shapesWarnings: [],
    defaultBranch: 'main',
    protected: [],
  });
  await expect(settings.set({ defaultBranch: 'dev' })).rejects.toMatchObject({ code: 'BRANCH_NOT_FOUND' });
  await repo.branches.open('dev', { create: true });
  expect(await settings.set({ defaultBranch: 'dev', protected: ['dev', 'release/1'] })).toMatchObject({
    defaultBranch: 'dev',
    protected: ['dev', 'release/1'],
  });
  for (const refused of [
    () => branches.delete('dev', { force: true }),
    () => branches.rename('dev', 'next'),
    () => branches.delete('main'),
  ])
    await expect(refused()).rejects.toMatchObject({ code: 'BRANCH_DEFAULT' });
  // The deletion and the setting are made one after the other, in either order.
  await settings.set({ defaultBranch: null });
  const [deleted, set] = await Promise.allSettled([
    branches.delete('dev'),
    settings.set({ defaultBranch: 'dev' }).then(() => true),
  ]);
  expect([deleted.status, set.status].sort()).toEqual(['fulfilled', 'rejected']);
  expect((await branches.list().toArray()).map(({ name }) => name)).toContain((await settings.get()).defaultBranch);
});

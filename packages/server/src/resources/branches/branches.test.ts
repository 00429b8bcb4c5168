import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openService, type Service } from '../../host/index.js';
import { type Database, open, type Repository } from 'quadrille';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NodeServer, serveNode } from '../../node/node.js';
import { createHandler } from '../../handler.js';

const AGE = 'urn:age';
const JSON_BODY = { 'Content-Type': 'application/json' };
let directory: string;
let database: Database;
let service: Service;
let server: NodeServer;
let main: Repository;
let count = 0;
let name = '';
const tokens = { owner: '', writer: '', reader: '', operator: '' };
type Who = keyof typeof tokens;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-branches-'));
  database = await open(directory);
  service = await openService(database, { rateLimit: false });
  server = await serveNode(createHandler({ service }), { port: 0 });
  for (const account of ['acme', 'jo', 'kim', 'root'])
    await service.accounts.create(account, { admin: account === 'root' });
  tokens.owner = (await service.tokens.create('acme')).text;
  tokens.writer = (await service.tokens.create('jo')).text;
  tokens.reader = (await service.tokens.create('kim')).text;
  tokens.operator = (await service.tokens.create('root')).text;
});
afterAll(async () => {
  await server.close(0);
  await service.close();
  await database.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  name = `people${String(++count)}`;
  const acme = { account: 'acme', admin: false, readOnly: false };
  await service.repositories.create(acme, 'acme', { name });
  await service.repositories.setCollaborator(acme, `acme/${name}`, 'jo', 'write');
  await service.repositories.setCollaborator(acme, `acme/${name}`, 'kim', 'read');
  main = await database.repository(`acme/${name}`);
  await main.settings.set({ functional: [AGE] });
  await main.update('INSERT DATA { <urn:a> <urn:age> 1 ; <urn:p> 1 }');
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: any;
}

async function ask(who: Who | undefined, method: string, path: string, body?: unknown, more = {}): Promise<Answer> {
  const response = await fetch(`${server.url}/acme/${name}${path}`, {
    method,
    headers: {
      ...(who !== undefined && { Authorization: `Bearer ${tokens[who]}` }),
      ...(body !== undefined && JSON_BODY),
      ...more,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}
const statusOf = async (...asked: Parameters<typeof ask>): Promise<number> => (await ask(...asked)).status;

test('branches are created, listed, read, renamed and deleted', async () => {
  const first = await main.revision();
  const made = await ask('writer', 'PUT', '/branches/dev');
  expect([made.status, made.json.name, made.json.head.uuid, made.json.fork.ordinal, made.json.default]).toEqual([
    201,
    'dev',
    first.id,
    first.number,
    false,
  ]);
  expect(made.headers.get('Location')).toBe(`${server.url}/acme/${name}/branches/dev`);
  expect(made.headers.get('ETag')).toBe(`"${first.id}"`);
  expect((await ask('writer', 'PUT', '/branches/feature%2Fgr%C3%BC%C3%9Fe?from=1')).json.head.ordinal).toBe(1);
  expect((await ask('writer', 'PUT', '/branches/third', 'dev', { 'Content-Type': 'text/plain' })).status).toBe(201);
  expect((await ask('reader', 'GET', '/branches')).json.map((branch: any) => branch.name)).toEqual([
    'dev',
    'feature/grüße',
    'main',
    'third',
  ]);
  const etag = { 'If-None-Match': `"${first.id}"` };
  expect(await statusOf('reader', 'GET', '/branches/dev', undefined, etag)).toBe(304);
  const renamed = await ask('writer', 'PATCH', '/branches/feature%2Fgr%C3%BC%C3%9Fe', { name: 'feature/x' });
  expect([renamed.status, renamed.json.name]).toEqual([200, 'feature/x']);
  expect((await ask('reader', 'GET', '/branches/feature%2Fx')).json.name).toBe('feature/x');
  expect(await statusOf('writer', 'DELETE', '/branches/feature%2Fx')).toBe(204);
  expect((await ask('writer', 'DELETE', '/branches/feature%2Fx')).json.code).toBe('BRANCH_NOT_FOUND');
  const begun = await ask('writer', 'PUT', '/branches/fourth?branch=dev');
  expect(begun.json.head.uuid).toBe(first.id);
});

test('what cannot be done to a branch says why, and changes nothing', async () => {
  await (await main.branches.open('dev', { create: true })).update('INSERT DATA { <urn:b> <urn:p> 1 }');
  await main.tags.set('v1', 'HEAD');
  const [head, dev] = [(await main.revision()).id, (await main.branches.get('dev'))!.head.id];
  const tagged = { 'If-Match': `"${head}"` };
  for (const [method, path, body, status, code, more] of [
    ['PUT', '/branches/dev', undefined, 422, 'ALREADY_EXISTS'],
    ['PUT', '/branches/v1', undefined, 422, 'ALREADY_EXISTS'],
    ['PUT', '/branches/HEAD', undefined, 400, 'INVALID_NAME'],
    ['PUT', '/branches/remote%2Fx', undefined, 400, 'INVALID_NAME'],
    ['PUT', '/branches/7', undefined, 400, 'INVALID_NAME'],
    ['PUT', `/branches/${'x'.repeat(101)}`, undefined, 400, 'INVALID_NAME'],
    ['PUT', '/branches/new?from=none', undefined, 404, 'REVISION_NOT_FOUND'],
    ['PUT', '/branches/new?from=a%20b', undefined, 400, 'INVALID_REF'],
    ['PUT', '/branches/new?from=1&revision-id=2', undefined, 400, 'INVALID_PARAMETER'],
    ['PATCH', '/branches/dev', {}, 422, 'INVALID_RECORD'],
    ['PATCH', '/branches/dev', { name: 'x', more: 1 }, 422, 'INVALID_RECORD'],
    ['PATCH', '/branches/dev', { name: 'main' }, 422, 'ALREADY_EXISTS'],
    ['PATCH', '/branches/main', { name: 'x' }, 409, 'BRANCH_DEFAULT'],
    ['PATCH', '/branches/none', { name: 'x' }, 404, 'BRANCH_NOT_FOUND'],
    ['DELETE', '/branches/main?force=1', undefined, 409, 'BRANCH_DEFAULT'],
    ['DELETE', '/branches/dev', undefined, 409, 'BRANCH_NOT_MERGED'],
    ['DELETE', '/branches/dev?force=yes', undefined, 400, 'INVALID_PARAMETER'],
    ['DELETE', '/branches/dev?force=', undefined, 400, 'INVALID_PARAMETER'],
    ['DELETE', '/branches/dev?force=1&branch=main', undefined, 400, 'INVALID_PARAMETER'],
    ['DELETE', '/branches/dev?force=1', undefined, 412, 'PRECONDITION_FAILED', tagged],
    ['POST', '/branches/none/merge', {}, 404, 'BRANCH_NOT_FOUND'],
    ['POST', '/branches/v1/merge', {}, 404, 'BRANCH_NOT_FOUND'],
    ['POST', '/branches/main/merge', {}, 400, 'INVALID_OPTION'],
    ['POST', '/branches/dev/merge?branch=dev', {}, 400, 'INVALID_OPTION'],
    ['POST', '/branches/dev/merge', { strategy: 'x' }, 422, 'INVALID_RECORD'],
    ['POST', '/branches/dev/merge', { onConflict: 'base' }, 422, 'INVALID_RECORD'],
    ['POST', '/branches/dev/merge', { resolution: [] }, 422, 'INVALID_RECORD'],
    ['POST', '/branches/dev/merge', { resolutions: {} }, 422, 'INVALID_RECORD'],
    ['POST', '/branches/dev/merge', { resolutions: [{ subject: 'urn:a' }] }, 400, 'BAD_REQUEST'],
    ['POST', '/branches/dev/merge', { resolutions: [{ subject: 'urn:a', predicate: AGE }] }, 400, 'BAD_REQUEST'],
    ['POST', '/branches/dev/merge', '[]', 400, 'BAD_REQUEST'],
    ['POST', '/branches/dev/merge', '{', 400, 'BAD_REQUEST'],
    ['POST', '/branches/dev/merge?revision-id=1', {}, 400, 'INVALID_PARAMETER'],
    ['POST', '/branches/dev/merge', {}, 412, 'PRECONDITION_FAILED', { 'If-Match': `"${dev}"` }],
    ['POST', '/branches/dev/merge', 'a=b', 415, 'UNSUPPORTED_MEDIA_TYPE', { 'Content-Type': 'text/plain' }],
    ['POST', '/revisions/none/cherry-pick', {}, 404, 'REVISION_NOT_FOUND'],
    ['POST', '/revisions/dev/cherry-pick', { strategy: 'ours' }, 422, 'INVALID_RECORD'],
  ] as const) {
    const answer = await ask('writer', method, path, body, more);
    expect([method, path, body, answer.status, answer.json?.code]).toEqual([method, path, body, status, code]);
  }
  expect([(await main.revision()).id, (await main.branches.get('dev'))!.head.id]).toEqual([head, dev]);
  expect((await main.branches.list().toArray()).map(({ name }) => name)).toEqual(['dev', 'main']);
});

test('a merge is previewed, and made', async () => {
  const dev = await main.branches.open('dev', { create: true });
  await dev.update('DELETE DATA { <urn:a> <urn:p> 1 } ; INSERT DATA { <urn:b> <urn:p> 1, 2 }');
  const preview = await ask('reader', 'POST', '/branches/dev/merge?preview=1', {});
  // A reader may not change anything, and a preview is a POST.
  expect(preview.status).toBe(403);
  const told = await ask('writer', 'POST', '/branches/dev/merge?preview=1&limit=2', {});
  expect(told.json).toMatchObject({ base: { ordinal: 2 }, added: 2, removed: 1, conflictCount: 0, conflicts: [] });
  expect(told.json.changes).toHaveLength(2);
  const patch = await ask('writer', 'POST', '/branches/dev/merge?preview=1', {}, { Accept: 'application/rdf-patch' });
  expect(patch.text.match(/^[AD] /gm)).toHaveLength(3);
  expect((await main.revision()).number).toBe(2);
  const matching = { 'If-Match': told.headers.get('ETag')! };
  const made = await ask('writer', 'POST', '/branches/dev/merge', { message: 'take it' }, matching);
  const head = await main.revision();
  expect([made.status, made.headers.get('ETag'), made.json.uuid]).toEqual([200, `"${head.id}"`, head.id]);
  expect(made.json).toMatchObject({ kind: 'merge', message: 'take it', agent: 'jo', added: 2, removed: 1 });
  expect(made.json.parents).toEqual([head.parent, (await dev.revision()).id]);
  // It is merged now: nothing more to do, and the branch may go.
  expect((await ask('writer', 'POST', '/branches/dev/merge')).json.uuid).toBe(head.id);
  expect(await statusOf('writer', 'DELETE', '/branches/dev')).toBe(204);
  const ahead = await (await main.branches.open('ahead', { create: true })).update('INSERT DATA { <urn:c> <urn:p> 1 }');
  const forward = await ask('writer', 'POST', '/branches/ahead/merge', { fastForward: true });
  expect([forward.status, forward.json.uuid, (await main.revision()).id]).toEqual([200, ahead.id, ahead.id]);
});

test('conflicts are told and decided', async () => {
  await main.update('INSERT DATA { <urn:b> <urn:age> 1 . GRAPH <urn:g> { <urn:c> <urn:age> 1 } }');
  const dev = await main.branches.open('dev', { create: true });
  for (const [repository, value] of [
    [dev, 3],
    [main, 2],
  ] as const)
    await repository.update(
      `DELETE { ?s <urn:age> 1 } INSERT { ?s <urn:age> ${String(value)} } WHERE { ?s <urn:age> 1 } ;
       DELETE { GRAPH ?g { ?s <urn:age> 1 } } INSERT { GRAPH ?g { ?s <urn:age> ${String(value)} } } WHERE { GRAPH ?g { ?s <urn:age> 1 } }`,
    );
  const refused = await ask('writer', 'POST', '/branches/dev/merge');
  expect([refused.status, refused.json.code, refused.json.details.count]).toEqual([409, 'MERGE_CONFLICT', 3]);
  const integer = (value: number): string => `"${String(value)}"^^<http://www.w3.org/2001/XMLSchema#integer>`;
  const conflict = { predicate: `<${AGE}>`, base: [integer(1)], ours: [integer(2)], theirs: [integer(3)] };
  expect(refused.json.details.conflicts).toContainEqual({ subject: '<urn:a>', graph: null, ...conflict });
  expect(refused.json.details.conflicts).toContainEqual({ subject: '<urn:c>', graph: '<urn:g>', ...conflict });
  const preview = await ask('writer', 'POST', '/branches/dev/merge?preview=1');
  expect([preview.json.conflictCount, preview.json.conflicts]).toEqual([3, refused.json.details.conflicts]);
  const resolutions = [
    { subject: '<urn:a>', predicate: `<${AGE}>`, take: 'theirs' },
    { subject: 'urn:c', predicate: AGE, graph: '<urn:g>', values: [integer(7), '"eight"@en'] },
    { subject: '<urn:nobody>', predicate: `<${AGE}>`, take: 'base' },
  ];
  const left = await ask('writer', 'POST', '/branches/dev/merge', { resolutions });
  expect([left.status, left.json.details.count, left.json.details.conflicts[0].subject]).toEqual([409, 1, '<urn:b>']);
  const twice = [...resolutions, resolutions[0]];
  expect(await statusOf('writer', 'POST', '/branches/dev/merge', { resolutions: twice })).toBe(400);
  expect(await statusOf('writer', 'POST', '/branches/dev/merge', { resolutions, onConflict: 'ours' })).toBe(200);
  const ages = await main.select('SELECT ?v { { ?s <urn:age> ?v } UNION { GRAPH ?g { ?s <urn:age> ?v } } }').toArray();
  expect(ages.map((row: any) => row.v.value).sort()).toEqual(['2', '3', '7', 'eight']);
});

test('a revision of another branch is repeated', async () => {
  const dev = await main.branches.open('dev', { create: true });
  const picked = await dev.update('INSERT DATA { <urn:b> <urn:p> 1 }');
  await dev.update('INSERT DATA { <urn:c> <urn:p> 1 }');
  const made = await ask('writer', 'POST', '/revisions/dev~1/cherry-pick', { message: 'only this' });
  expect([made.status, made.json.origin, made.json.added, made.json.message]).toEqual([200, picked.id, 1, 'only this']);
  expect(await main.size()).toBe(3);
});

test('rights: readers read, writers change, owners change what is protected', async () => {
  const dev = await main.branches.open('dev', { create: true });
  await dev.update('INSERT DATA { <urn:b> <urn:p> 1 }');
  for (const each of ['spare', 'gone']) await main.branches.open(each, { create: true });
  expect(await statusOf('owner', 'PATCH', '/settings', { protected: ['main', 'spare', 'free', 'freed', 'gone'] })).toBe(
    200,
  );
  const update = { 'Content-Type': 'application/sparql-update' };
  const turtle = { 'Content-Type': 'text/turtle' };
  const insert = 'INSERT DATA { <urn:x> <urn:p> 1 }';
  const commits = [
    ['POST', '/statements', '<urn:x> <urn:p> 1 .', turtle],
    ['PUT', '/statements', '<urn:x> <urn:p> 1 .', turtle],
    ['DELETE', '/statements', undefined, {}],
    ['POST', '/sparql', insert, update],
    ['PUT', '/service?graph=urn:g', '<urn:x> <urn:p> 1 .', turtle],
    ['PATCH', '/service', insert, update],
    ['DELETE', '/service?default', undefined, {}],
    ['POST', '/changes', 'TX .\nA <urn:x> <urn:p> 1 .\nTC .\n', { 'Content-Type': 'application/rdf-patch' }],
    ['POST', '/changes?history=1', '', { 'Content-Type': 'application/rdf-patch' }],
    ['POST', '/revisions/HEAD/revert', undefined, {}],
    ['POST', '/reset?to=1', undefined, {}],
    ['POST', '/revisions/dev/cherry-pick', {}, {}],
    ['POST', '/branches/dev/merge', {}, {}],
    ['PUT', '/branches/free', undefined, {}],
    ['PATCH', '/branches/spare', { name: 'other' }, {}],
    ['PATCH', '/branches/dev', { name: 'freed' }, {}],
    ['DELETE', '/branches/gone', undefined, {}],
  ] as const;
  const [head, branches] = [(await main.revision()).id, JSON.stringify(await main.branches.list().toArray())];
  for (const [who, status] of [
    [undefined, 401],
    ['reader', 403],
    ['writer', 403],
  ] as const)
    for (const [method, path, body, headers] of commits)
      expect([who, method, path, await statusOf(who, method, path, body, headers)]).toEqual([
        who,
        method,
        path,
        status,
      ]);
  // A transaction is begun, and cannot be committed.
  const begun = (await ask('writer', 'POST', '/transactions')).headers.get('Location')!;
  const transaction = begun.slice(begun.indexOf('/transactions'));
  expect(await statusOf('writer', 'PUT', `${transaction}?action=UPDATE`, insert, update)).toBe(200);
  expect(await statusOf('writer', 'PUT', `${transaction}?action=COMMIT`)).toBe(403);
  expect([(await main.revision()).id, JSON.stringify(await main.branches.list().toArray())]).toEqual([head, branches]);
  expect((await ask('writer', 'POST', '/statements', '<urn:x> <urn:p> 1 .', turtle)).json.error).toMatch(
    /main is protected/,
  );
  // What is no commit, and other branches, are as free as before.
  expect(await statusOf('writer', 'PUT', '/namespaces/ex', 'urn:ex:', { 'Content-Type': 'text/plain' })).toBe(204);
  expect(await statusOf('writer', 'POST', '/statements?branch=dev', '<urn:x> <urn:p> 1 .', turtle)).toBe(204);
  expect(await statusOf('writer', 'POST', '/branches/main/merge?branch=dev', {})).toBe(200);
  // An empty file is no history.
  for (const [method, path, body, headers] of commits.filter(([, path]) => !path.includes('history')))
    expect([method, path, (await statusOf('owner', method, path, body, headers)) < 300]).toEqual([method, path, true]);
  for (const who of ['reader', 'writer', 'owner'] as const) expect(await statusOf(who, 'GET', '/branches')).toBe(200);
  expect(await statusOf(undefined, 'GET', '/branches')).toBe(401);
});

test('a forced deletion is on record', async () => {
  const dev = await main.branches.open('dev', { create: true });
  const { id } = await dev.update('INSERT DATA { <urn:secret> <urn:p> 1 }');
  expect(await statusOf('writer', 'DELETE', '/branches/dev?force=1')).toBe(204);
  const response = await fetch(`${server.url}/audit?limit=1`, {
    headers: { Authorization: `Bearer ${tokens.operator}` },
  });
  const [entry] = (await response.json()) as any[];
  expect(entry).toMatchObject({
    action: 'branch.delete',
    subject: `acme/${name}`,
    account: 'jo',
    details: { branch: 'dev', revision: id },
  });
  expect(JSON.stringify(entry)).not.toContain('secret');
});

test('of two merges at once one is the merge, and the other one finds it made', async () => {
  const dev = await main.branches.open('dev', { create: true });
  await dev.update('INSERT DATA { <urn:b> <urn:p> 1 }');
  const before = (await main.revision()).number;
  const merges = await Promise.all(Array.from({ length: 6 }, () => ask('writer', 'POST', '/branches/dev/merge', {})));
  expect(merges.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect(new Set(merges.map(({ json }) => json.uuid)).size).toBe(1);
  expect((await main.revision()).number).toBe(before + 1);
});

test('commits to a branch that is being deleted either come first or fail, and nothing is lost unnoticed', async () => {
  const dev = await main.branches.open('dev', { create: true });
  const tag = `"${(await dev.revision()).id}"`;
  const turtle = { 'Content-Type': 'text/turtle' };
  const commits = Array.from({ length: 8 }, (_, i) =>
    ask('writer', 'POST', '/statements?branch=dev', `<urn:${String(i)}> <urn:p> 1 .`, turtle),
  );
  const deletion = await ask('writer', 'DELETE', '/branches/dev?force=1', undefined, { 'If-Match': tag });
  const statuses = (await Promise.all(commits)).map(({ status, json }) => (status === 204 ? 'made' : json.code));
  const made = statuses.filter((status) => status === 'made').length;
  if (deletion.status === 204) expect(made).toBe(0);
  else expect([deletion.status, deletion.json.code, made]).toEqual([412, 'PRECONDITION_FAILED', 8]);
  expect(statuses.filter((status) => status !== 'made' && status !== 'BRANCH_NOT_FOUND')).toEqual([]);
  expect((await main.maintenance.verify()).ok).toBe(true);
});

test('a feed of a branch ends when the branch is deleted', async () => {
  await main.branches.open('dev', { create: true });
  const response = await fetch(`${server.url}/acme/${name}/changes?branch=dev&since=HEAD`, {
    headers: { Authorization: `Bearer ${tokens.reader}` },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const committed = await (await main.branches.open('dev')).update('INSERT DATA { <urn:b> <urn:p> 1 }');
  let text = '';
  while (!text.includes(committed.id)) text += (await reader.read()).value ?? '';
  expect(await statusOf('writer', 'DELETE', '/branches/dev?force=1')).toBe(204);
  for (;;) {
    const { done, value } = await reader.read();
    text += value ?? '';
    if (done) break;
  }
  expect(text).toContain('urn:b');
  expect(await statusOf('reader', 'GET', '/changes?branch=dev')).toBe(404);
});

test('a history file of all branches comes and goes; a protected branch takes it from owners alone', async () => {
  await main.branches.create('dev');
  const file = await ask('reader', 'GET', '/changes?history=1&branches=all');
  expect(file.text).toContain('H branch "dev"');
  const from = await ask('reader', 'GET', '/changes?history=1&branches=all&since=1');
  expect([from.status, from.json.code]).toEqual([400, 'INVALID_OPTION']);
  const dev = await main.branches.open('dev');
  await dev.update('INSERT DATA { <urn:a> <urn:p> 2 }');
  const later = (await main.sync.exportHistory({ branches: 'all' }).toArray()).join('');
  await dev.branches.reset('HEAD~1');
  const copy = `${name}copy`;
  await service.repositories.create({ account: 'acme', admin: false, readOnly: false }, 'acme', { name: copy });
  const writer = (await service.tokens.create('jo', { rights: ['read', 'write', 'replicate'] })).text;
  await service.repositories.setCollaborator(
    { account: 'acme', admin: false, readOnly: false },
    `acme/${copy}`,
    'jo',
    'write',
  );
  const made = await database.repository(`acme/${copy}`);
  await made.settings.set({ protected: ['dev'] });
  const post = async (token: string): Promise<Response> =>
    fetch(`${server.url}/acme/${copy}/changes?history=1`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/rdf-patch' },
      body: later,
    });
  const refused = await post(writer);
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('branch dev is protected')]);
  expect((await made.branches.list().toArray()).map(({ name }) => name)).toEqual(['main']);
  await made.settings.set({ protected: [] });
  expect((await post(writer)).status).toBe(200);
  expect((await made.branches.list().toArray()).map(({ name }) => name)).toEqual(['dev', 'main']);
});

import { expect, test } from 'vitest';
import { bearer, type Json, type TestEndpoint, testEndpoint, textOf } from '../testing/endpoint.js';
import { MethodRegistry, spellings } from './registry.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;
const ORIGIN = 'http://docs.example';

async function ended({ call }: TestEndpoint, uuid: string): Promise<any> {
  for (;;) {
    const { result } = await call('DescribeOperation', [uuid]);
    if (!result.working) return result;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const registry = new MethodRegistry();

test.each([
  ['DescribeService', []],
  ['DescribeAccount', ['dydra.account.info']],
  ['ListRepositories', ['dydra.repository.list']],
  ['DescribeRepository', ['dydra.repository.info']],
  ['CreateRepository', ['dydra.repository.create']],
  ['DestroyRepository', ['dydra.repository.destroy']],
  ['ClearRepository', ['dydra.repository.clear']],
  ['Import', ['dydra.repository.import']],
  ['CountStatements', ['dydra.repository.count']],
  ['ListOperations', []],
  ['DescribeOperation', ['dydra.job.info', 'dydra.operation.info']],
  ['dydra.job.status', ['dydra.operation.status', 'dydra.process.status']],
  ['dydra.job.done', ['dydra.operation.done']],
  ['AbortOperation', ['dydra.job.abort', 'dydra.operation.abort', 'dydra.process.abort']],
  ['dydra.repository.query', []],
  ['dydra.query.done', []],
  ['dydra.query.result', []],
  ['dydra.query.result.json', []],
  ['dydra.repository.upload.params', []],
])('%s answers to its other names %j, and to datagraph.* for dydra.*', (name, others) => {
  const method = registry.need(name);
  for (const other of others) expect(registry.need(other)).toBe(method);
  for (const each of spellings(method).filter((spelling) => spelling.startsWith('dydra.'))) {
    expect(registry.need(each.replace('dydra', 'datagraph'))).toBe(method);
  }
});

test('every name over both protocols', async () => {
  const { post, tokens } = await testEndpoint();
  for (const name of registry.names()) {
    const json = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: [] }), bearer(tokens.acme));
    expect(textOf(json)).not.toContain('-32601');
    const xml = await post(`<methodCall><methodName>${name}</methodName></methodCall>`, {
      'content-type': 'text/xml',
      ...bearer(tokens.acme),
    });
    expect(textOf(xml)).not.toContain('-32601');
  }
});

test('accounts are made by the operator', async () => {
  const { call } = await testEndpoint();
  expect(await call('dydra.account.register', ['a', 'b', 'c'])).toMatchObject({ error: { code: -32601 } });
});

test('DescribeAccount: the address for mail is for the account itself', async () => {
  const { call, service, tokens } = await testEndpoint();
  await service.accounts.set('acme', { fullName: 'Acme Ltd', email: 'a@acme.example' });
  const own = (await call('DescribeAccount', [''])).result;
  expect(own).toMatchObject({ name: 'acme', fullname: 'Acme Ltd', email: 'a@acme.example', repository_count: 0 });
  const others = (await call('DescribeAccount', ['acme'], bearer(tokens.other))).result;
  expect(others).toMatchObject({ name: 'acme', fullname: 'Acme Ltd' });
  expect(others).not.toHaveProperty('email');
  expect(await call('DescribeAccount', ['nobody'])).toMatchObject({ error: { code: -32004 } });
});

test('the life of a repository, seen by the service that REST has too', async () => {
  const endpoint = await testEndpoint();
  const { call, service } = endpoint;
  const owner = { account: 'acme', readOnly: false, admin: false };
  const created = (await call('CreateRepository', ['acme/People'])).result;
  expect(created).toMatch(UUID);
  expect(service.jobs.get(owner, created)).toMatchObject({ kind: 'create', repository: 'acme/people' });
  expect((await call('ListRepositories', [''])).result).toEqual([['acme', 'people']]);
  expect((await call('DescribeRepository', ['acme/people'])).result).toMatchObject({
    repository_id: 'acme/people',
    name: 'People',
    summary: null,
    triple_count: 0,
    byte_size: 0,
    created: expect.stringMatching(/\+00:00$/),
    updated: expect.stringMatching(/\+00:00$/),
  });

  const imported = (await call('Import', ['acme/people', `${ORIGIN}/people.ttl`, '', ''])).result;
  expect(imported).toMatch(UUID);
  expect(await ended(endpoint, imported)).toMatchObject({ uuid: imported, status: 'completed', pct: 100 });
  expect(service.jobs.get(owner, imported)).toMatchObject({ kind: 'import', status: 'completed' });
  expect((await call('CountStatements', ['acme/people'])).result).toBe(2);
  expect((await call('dydra.job.status', [imported.toUpperCase()])).result).toBe('completed');
  expect((await call('dydra.job.done', [imported])).result).toBe(true);
  expect((await call('ListOperations')).result).toEqual([]);
  expect((await call('ListOperations', ['completed'])).result).toEqual([imported, created]);
  expect((await call('ListOperations', ['unknown'])).result).toEqual([]);

  expect((await call('ClearRepository', ['acme/people'])).result).toMatch(UUID);
  expect((await call('CountStatements', ['acme/people'])).result).toBe(0);
  expect((await call('DestroyRepository', ['acme/people'])).result).toMatch(UUID);
  expect(await call('DescribeRepository', ['acme/people'])).toMatchObject({
    error: { code: -32004, data: { status: 404, type: 'REPOSITORY_NOT_FOUND' } },
  });
});

test('Import: the graph and the base', async () => {
  const endpoint = await testEndpoint();
  const { call, database } = endpoint;
  await call('CreateRepository', ['acme/x']);
  const repository = await database.repository('acme/x');
  const graphs = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const quad of repository.quads()) found.push(quad.graph.value);
    return [...new Set(found)].sort();
  };
  for (const context of ['urn:g:1', '<urn:g:2>', 'default', '']) {
    const { result } = await call('Import', ['acme/x', `${ORIGIN}/people.ttl`, context, '<http://base.example/>']);
    expect(await ended(endpoint, result)).toMatchObject({ status: 'completed' });
  }
  expect(await graphs()).toEqual(['', 'urn:g:1', 'urn:g:2']);
  for (const params of [
    ['acme/x', `${ORIGIN}/people.ttl`, 'no iri'],
    ['acme/x', `${ORIGIN}/people.ttl`, '<no iri>'],
    ['acme/x', `${ORIGIN}/people.ttl`, 'urn:quadrille:all'],
    ['acme/x', `${ORIGIN}/people.ttl`, '', 'relative'],
    ['acme/x', 'no url'],
  ]) {
    expect(await call('Import', params)).toMatchObject({ error: { code: -32602 } });
  }
});

test('an import that fails says why, one under way can be aborted', async () => {
  const endpoint = await testEndpoint();
  const { call, tokens } = endpoint;
  await call('CreateRepository', ['acme/x']);
  const failed = (await call('Import', ['acme/x', `${ORIGIN}/nothing.ttl`])).result;
  expect(await ended(endpoint, failed)).toMatchObject({ status: 'failed', message: expect.stringContaining('404') });

  const slow = (await call('Import', ['acme/x', `${ORIGIN}/slow.ttl`])).result;
  expect((await call('ListOperations')).result).toEqual([slow]);
  expect((await call('dydra.job.done', [slow])).result).toBe(false);
  expect(await call('AbortOperation', [slow], bearer(tokens.other))).toMatchObject({ error: { code: -32004 } });
  expect((await call('AbortOperation', [slow])).result).toBe(true);
  expect((await call('dydra.job.status', [slow])).result).toBe('aborted');
  expect((await call('AbortOperation', [slow])).result).toBe(true);
  expect((await call('CountStatements', ['acme/x'])).result).toBe(0);
});

test('a query and its answer, as older clients ask for it', async () => {
  const endpoint = await testEndpoint();
  const { call, tokens } = endpoint;
  await call('CreateRepository', ['acme/x']);
  await ended(endpoint, (await call('Import', ['acme/x', `${ORIGIN}/people.ttl`])).result);
  const ask = async (query: string): Promise<string> => {
    const uuid = (await call('dydra.repository.query', ['acme/x', query])).result;
    expect(await ended(endpoint, uuid)).toMatchObject({ status: 'completed', operation: 'query' });
    expect((await call('dydra.query.done', [uuid])).result).toBe(true);
    return uuid;
  };
  const uuid = await ask('SELECT ?s ?o WHERE { ?s <urn:p> ?o } ORDER BY ?o');
  expect((await call('datagraph.query.result', [uuid])).result).toEqual([
    { s: 'urn:a', o: '1' },
    { s: 'urn:b', o: '2' },
  ]);
  expect(JSON.parse((await call('dydra.query.result.json', [uuid])).result)).toMatchObject({
    head: { vars: ['s', 'o'] },
    results: { bindings: [{ s: { type: 'uri', value: 'urn:a' } }, {}] },
  });
  expect((await call('dydra.query.result', [await ask('ASK { ?s <urn:p> "2" }')])).result).toEqual([true]);
  expect(await call('dydra.query.result', [uuid], bearer(tokens.other))).toMatchObject({ error: { code: -32004 } });
  expect(await call('dydra.repository.query', ['acme/x', 'SELECT'])).toMatchObject({
    error: { code: -32602, data: { type: 'SPARQL_SYNTAX', line: 1 } },
  });
});

test('upload.params leads to the statements of the repository', async () => {
  const { call } = await testEndpoint({ publicBase: 'https://rpc.example/' });
  await call('CreateRepository', ['acme/x']);
  expect((await call('dydra.repository.upload.params', ['acme/x'])).result).toMatchObject({
    url: 'https://rpc.example/acme/x/statements',
    key: '',
    policy: '',
  });
});

test('every operation asks for the right that it states', async () => {
  const { call, service, tokens } = await testEndpoint();
  const owner = { account: 'acme', readOnly: false, admin: false };
  await call('CreateRepository', ['acme/secret']);
  await call('CreateRepository', ['acme/open']);
  await service.repositories.update(owner, 'acme/open', { privacy: 'public' });
  const code = async (method: string, params: unknown[], token?: string): Promise<number | undefined> =>
    (await call(method, params, token === undefined ? {} : bearer(token))).error?.code;

  for (const { names, parameters, right } of registry.methods) {
    const [name] = names;
    if (parameters[0]?.name !== 'repository' || name === 'CreateRepository') continue;
    const second: Record<string, string> = { Import: `${ORIGIN}/people.ttl`, 'dydra.repository.query': 'ASK {}' };
    for (const each of ['CreateBranch', 'DeleteBranch', 'MergeBranch']) second[each] = 'dev';
    const rest = name in second ? [second[name]] : [];
    const isRead = right === 'read';
    expect([name, await code(name, ['acme/secret', ...rest])]).toEqual([name, -32001]);
    expect([name, await code(name, ['acme/none', ...rest])]).toEqual([name, -32001]);
    expect([name, await code(name, ['acme/secret', ...rest], tokens.other)]).toEqual([name, -32004]);
    expect([name, await code(name, ['acme/open', ...rest])]).toEqual([name, -32001]);
    expect([name, await code(name, ['acme/open', ...rest], tokens.other)]).toEqual([name, isRead ? undefined : -32003]);
    expect([name, await code(name, ['acme/open', ...rest], tokens.reader)]).toEqual([
      name,
      isRead ? undefined : -32003,
    ]);
  }
  for (const { names, right } of registry.methods) {
    expect([names[0], (await code(names[0], [])) === -32001]).toEqual([names[0], right !== 'public']);
  }
  expect(await code('CreateRepository', ['acme/x'], tokens.other)).toBe(-32003);
  expect(await code('CreateRepository', ['acme/x'], tokens.reader)).toBe(-32003);
  expect(await code('CreateRepository', ['nobody/x'], tokens.acme)).toBe(-32004);
});

test('conflict and validation', async () => {
  const { call } = await testEndpoint();
  await call('CreateRepository', ['acme/x']);
  expect(await call('CreateRepository', ['acme/X'])).toMatchObject({
    error: { code: -32009, message: expect.stringContaining('already exists'), data: { status: 409 } },
  });
  for (const name of ['acme/', 'acme/jobs', `acme/${'x'.repeat(2000)}`]) {
    expect(await call('CreateRepository', [name])).toMatchObject({
      error: { code: -32022, data: { status: 422, type: 'INVALID_RECORD', errors: { name: [expect.any(String)] } } },
    });
  }
  expect(await call('CreateRepository', ['x'])).toMatchObject({ error: { code: -32602 } });
  expect(await call('DescribeRepository', ['../..'])).toMatchObject({ error: { code: -32004 } });
  expect(await call('ListOperations', ['odd'])).toMatchObject({ error: { code: -32602 } });
});

test('a server that asks for no credentials makes the account with the first repository', async () => {
  const { call } = await testEndpoint({ serviceOptions: { open: true } });
  expect((await call('CreateRepository', ['fresh/x'], {})).result).toMatch(UUID);
  expect((await call('ListRepositories', ['fresh'], {})).result).toEqual([['fresh', 'x']]);
  expect(await call('ListRepositories', [''], {})).toMatchObject({ error: { code: -32602 } });
});

test('introspection, without credentials', async () => {
  const { call } = await testEndpoint();
  const ask = async (method: string, params: unknown[] = []): Promise<any> => (await call(method, params, {})).result;
  expect(await ask('system.listMethods')).toEqual(expect.arrayContaining(['DescribeService', 'datagraph.job.info']));
  expect(await ask('system.methodSignature', ['DescribeService'])).toEqual([['struct']]);
  expect(await ask('system.methodSignature', ['Import'])).toEqual([
    ['string', 'string', 'string', 'string', 'string'],
    ['string', 'string', 'string', 'string'],
    ['string', 'string', 'string'],
  ]);
  expect(await ask('system.methodHelp', ['dydra.repository.count'])).toContain('How many statements');
  expect(await ask('system.getCapabilities')).toMatchObject({
    'json-rpc': { specVersion: 2 },
    xmlrpc: { specVersion: 1 },
    faults_interop: { specVersion: 20010516 },
  });
  expect(await call('system.methodHelp', ['toString'])).toMatchObject({ error: { code: -32601 } });
});

test('multicall: results in arrays, faults in structs, at most 100, none within another', async () => {
  const { call } = await testEndpoint();
  const calls = [
    { methodName: 'CreateRepository', params: ['acme/x'] },
    { methodName: 'CountStatements', params: ['acme/x'] },
    { methodName: 'DescribeService' },
    { methodName: 'nothing', params: [] },
    { methodName: 'system.multicall', params: [[]] },
    { params: [] },
    { methodName: 'DescribeService', params: 'x' },
    1,
  ];
  const { result } = await call('system.multicall', [calls]);
  expect(result[0]).toEqual([expect.stringMatching(UUID)]);
  expect(result[1]).toEqual([0]);
  expect(result[2]).toEqual([expect.objectContaining({ status: 'nominal' })]);
  expect(result.slice(3).map(({ faultCode }: any) => faultCode)).toEqual([-32601, -32600, -32600, -32600, -32600]);
  expect((await call('system.multicall', [[]])).result).toEqual([]);
  const many = Array.from({ length: 101 }, () => ({ methodName: 'DescribeService' }));
  expect(await call('system.multicall', [many])).toMatchObject({ error: { code: -32600 } });
  expect(await call('system.multicall', ['x'])).toMatchObject({ error: { code: -32602 } });
});

test('a batch of multicalls does not get around the limit', async () => {
  const { post, tokens } = await testEndpoint();
  const calls = Array.from({ length: 60 }, () => ({ methodName: 'DescribeService' }));
  const one = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'system.multicall', params: [calls] });
  const response = await post(`[${one},${one}]`, bearer(tokens.acme));
  const answers = JSON.parse(response.body as string);
  expect(answers[0].result).toHaveLength(60);
  expect(answers[1]).toMatchObject({ error: { code: -32600 } });
});

test('a query reads the other repositories that its account may read', async () => {
  const endpoint = await testEndpoint();
  const { call, tokens } = endpoint;
  await call('CreateRepository', ['acme/x']);
  await call('CreateRepository', ['acme/y']);
  await call('CreateRepository', ['other/secret'], bearer(tokens.other));
  await ended(endpoint, (await call('Import', ['acme/y', `${ORIGIN}/people.ttl`])).result);
  const run = async (address: string): Promise<Json> => {
    const query = `SELECT (COUNT(*) AS ?n) { SERVICE <repo:${address}> { ?s ?p ?o } }`;
    const uuid = (await call('dydra.repository.query', ['acme/x', query])).result;
    return { uuid, job: await ended(endpoint, uuid) };
  };
  const { uuid, job } = await run('acme/y');
  expect(job).toMatchObject({ status: 'completed' });
  expect((await call('dydra.query.result', [uuid])).result).toEqual([{ n: '2' }]);
  const messages = await Promise.all(
    ['other/secret', 'other/missing'].map(async (address) => {
      const { job: failed } = await run(address);
      expect(failed).toMatchObject({ status: 'failed' });
      return String(failed.message).replace(address, 'NAME');
    }),
  );
  expect(messages[0]).toContain('NAME');
  expect(messages[1]).toBe(messages[0]);
});

test('branches are created, listed, merged and deleted, over both protocols', async () => {
  const { call, post, database, tokens } = await testEndpoint();
  await call('CreateRepository', ['acme/people']);
  const main = await database.repository('acme/people');
  await main.update('INSERT DATA { <urn:a> <urn:p> 1 }');
  const first = await main.revision();
  const record = { head: first.id, ordinal: 2, fork: first.id, default: false, protected: false };
  expect((await call('CreateBranch', ['acme/people', 'dev'])).result).toEqual({ name: 'dev', ...record });
  expect((await call('CreateBranch', { repository: 'acme/people', name: 'old', ref: '1' })).result.ordinal).toBe(1);
  const dev = await (await main.branches.open('dev')).update('INSERT DATA { <urn:b> <urn:p> 1 }');
  const listed = (await call('ListBranches', ['acme/people'], bearer(tokens.reader))).result;
  expect(listed.map(({ name, head }: Json) => [name, head])).toEqual([
    ['dev', dev.id],
    ['main', first.id],
    ['old', (await main.at(1).revision()).id],
  ]);
  const xml = (name: string, ...params: string[]): Promise<string> =>
    post(
      `<methodCall><methodName>${name}</methodName><params>${params.map((value) => `<param><value>${value}</value></param>`).join('')}</params></methodCall>`,
      { 'content-type': 'text/xml', ...bearer(tokens.acme) },
    ).then(textOf);
  expect(await xml('DeleteBranch', 'acme/people', 'dev')).toMatch(/<int>-32009<\/int>/);
  const merged = await xml('MergeBranch', 'acme/people', 'dev');
  expect(merged).toContain((await main.revision()).id);
  expect(await main.size()).toBe(2);
  expect((await call('MergeBranch', ['acme/people', 'main', 'old'])).result).toMatch(UUID);
  expect(await xml('DeleteBranch', 'acme/people', 'old', '<boolean>1</boolean>')).toContain('<boolean>1</boolean>');
  expect((await call('DeleteBranch', ['acme/people', 'dev', false])).result).toBe(true);
  expect((await call('ListBranches', ['acme/people'])).result).toHaveLength(1);
});

test('what cannot be done to a branch', async () => {
  const { call, database, tokens } = await testEndpoint();
  await call('CreateRepository', ['acme/people']);
  const main = await database.repository('acme/people');
  await main.branches.open('dev', { create: true });
  for (const [method, params, code, type, headers] of [
    ['CreateBranch', ['acme/people', 'dev'], -32009, 'ALREADY_EXISTS'],
    ['CreateBranch', ['acme/people', ''], -32602, 'INVALID_NAME'],
    ['CreateBranch', ['acme/people', 'x', 'none'], -32004, 'REVISION_NOT_FOUND'],
    ['CreateBranch', ['acme/people', 'x'], -32003, 'FORBIDDEN', bearer(tokens.reader)],
    ['DeleteBranch', ['acme/people', 'main'], -32009, 'BRANCH_DEFAULT'],
    ['DeleteBranch', ['acme/people', 'none'], -32004, 'BRANCH_NOT_FOUND'],
    ['DeleteBranch', ['acme/people', 'dev', 'yes'], -32602, 'RPC_INVALID_PARAMS'],
    ['DeleteBranch', ['acme/people', 'dev', true], -32003, 'FORBIDDEN', bearer(tokens.reader)],
    ['MergeBranch', ['acme/people', 'none'], -32004, 'BRANCH_NOT_FOUND'],
    ['MergeBranch', ['acme/people', 'dev', 'none'], -32004, 'BRANCH_NOT_FOUND'],
    ['MergeBranch', ['acme/people', 'main'], -32602, 'INVALID_OPTION'],
    ['ListBranches', ['acme/people'], -32004, 'REPOSITORY_NOT_FOUND', bearer(tokens.other)],
  ] as const) {
    const { error } = await call(method, params, headers);
    expect([method, params, error?.code, error?.data?.type]).toEqual([method, params, code, type]);
  }
  expect((await main.branches.list().toArray()).map(({ name }) => name)).toEqual(['dev', 'main']);
});

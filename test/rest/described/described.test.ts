/** Every answer is as `/openapi.json` describes it: to requests that it describes, and to such as strangers send. */
import { createHandler, type NodeServer, serveNode } from '@quadrille/rest';
import { openService, type Service } from '@quadrille/service';
import { type Database, open } from 'quadrille';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Described, type Operation } from './document.js';
import { type Made, type Random, Requests } from './requests.js';

/** `QUADRILLE_DESCRIBED=seed` replays; `QUADRILLE_DESCRIBED_ROUNDS` sends more than six requests to each operation. */
const SEED = Number(process.env['QUADRILLE_DESCRIBED'] ?? Date.now() % 2 ** 31);
const ROUNDS = Number(process.env['QUADRILLE_DESCRIBED_ROUNDS'] ?? 6);
/** What a server may answer for a reason of its own. A trim waits 5 s for the transactions that earlier requests have left open. */
const BUSY = new Set(['QUERY_TIMEOUT', 'REPOSITORY_BUSY']);
const NOT_IMPLEMENTED = 501;

let database: Database;
let service: Service;
let node: NodeServer;
const tokens: Record<'operator' | 'owner' | 'reader', string> = { operator: '', owner: '', reader: '' };

beforeAll(async () => {
  database = await open(':memory:');
  service = await openService(database, { rateLimit: false, queries: { timeoutMs: 2000 } });
  node = await serveNode(createHandler({ service }), { port: 0 });
});
afterAll(async () => {
  await node.close(0);
  await service.close();
  await database.close();
});

/** Makes again what requests have removed. */
async function furnish(): Promise<void> {
  for (const name of ['root', 'acme', 'jo'])
    if ((await service.accounts.get(name)) === undefined)
      await service.accounts.create(name, { admin: name === 'root' });
  tokens.operator = (await service.tokens.create('root')).text;
  tokens.owner = (await service.tokens.create('acme')).text;
  tokens.reader = (await service.tokens.create('acme', { rights: ['read'] })).text;
  const people = await database.repository('acme/people', { create: true });
  await people.add([]);
  await people.update(
    'INSERT DATA { <urn:a> a <urn:C> ; <urn:p> 1, "x"@en . GRAPH <urn:g> { <urn:a> <urn:q> <urn:b> } }',
  );
  await people.tags.set('v1', 'HEAD');
  const dev = await people.branch('dev', { create: true });
  await dev.update('INSERT DATA { <urn:b> <urn:p> 2 }');
  await people.namespaces.set('ex', 'http://example.org/');
  const root = { account: 'root', admin: true, readOnly: false } as const;
  await service.views.set(root, 'acme/people', 'all', 'SELECT * { ?s ?p ?o }');
}

function random(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

interface Got {
  readonly status: number;
  readonly type: string | null;
  readonly body: Uint8Array;
  readonly headers: Headers;
}

async function send({ method, path, headers, body }: Made, token: string | undefined): Promise<Got> {
  const response = await fetch(node.url + path, {
    method,
    headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    redirect: 'manual',
    ...(body !== undefined && { body: body as BodyInit }),
  });
  const type = response.headers.get('Content-Type');
  // A feed has no end.
  if (type?.startsWith('text/event-stream') === true) {
    await response.body?.cancel();
    return { status: response.status, type, body: new Uint8Array(), headers: response.headers };
  }
  return {
    status: response.status,
    type,
    body: new Uint8Array(await response.arrayBuffer()),
    headers: response.headers,
  };
}

/** What is wrong with an answer, beside what the document says. */
function breach({ status, headers, body }: Got): string | undefined {
  if (!/^[\da-f-]{36}$/.test(headers.get('Request-Id') ?? '')) return 'it has no Request-Id';
  if (status === 401 && headers.get('WWW-Authenticate') !== 'Basic realm="Application"') return 'a 401 names no realm';
  if (status < 500 || status === NOT_IMPLEMENTED) return undefined;
  const text = new TextDecoder().decode(body);
  return [...BUSY].some((code) => text.includes(code)) || /took longer than/.test(text)
    ? undefined
    : `a fault of the server: ${text}`;
}

const shown = ({ method, path, headers, body }: Made): string =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${JSON.stringify(new TextDecoder('latin1').decode(body?.subarray(0, 200)))}`;

test('every answer to requests made from the description is as it is described', { timeout: 120_000 }, async () => {
  console.log(`described: seed ${String(SEED)}`);
  await furnish();
  const described = new Described((await (await fetch(`${node.url}/openapi.json`)).json()) as object);
  const next = random(SEED);
  const ids = (): string[] =>
    service.jobs
      .list({ account: 'acme', admin: true, readOnly: false }, { status: 'all' })
      .map(({ uuid }) => uuid)
      .slice(0, 5);
  const requests = new Requests(described, next, ids);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const turns: Operation[] = Array.from({ length: ROUNDS }, () => described.operations).flat();
  for (const [i, operation] of turns.entries()) {
    if (i % 40 === 0) await furnish();
    const made = requests.make(operation);
    const { operator, owner, reader } = tokens;
    const whose = [operator, operator, operator, owner, owner, owner, owner, reader, undefined, 'qdt_wrong'];
    const who = whose[next(whose.length)];
    const got = await send(made, who);
    if (made.method === 'DELETE' && got.status < 300) await furnish();
    statuses.set(got.status, (statuses.get(got.status) ?? 0) + 1);
    const fault = described.fault(operation, got.status, got.type, got.body) ?? breach(got);
    if (fault !== undefined) faults.push(`${fault}\n    ${shown(made)}`);
    if (operation.method === 'GET' && got.status < 300 && !made.path.includes('/changes')) {
      const head = await send({ ...made, method: 'HEAD' }, who);
      if (head.status !== got.status || head.type !== got.type)
        faults.push(
          `HEAD is ${String(head.status)} ${String(head.type)}, GET ${String(got.status)} ${String(got.type)}\n    ${shown(made)}`,
        );
    }
  }
  console.log(`described: ${String(turns.length)} requests, ${JSON.stringify(Object.fromEntries(statuses))}`);
  expect(faults.slice(0, 20), `seed ${String(SEED)}, ${String(faults.length)} in all`).toEqual([]);
});

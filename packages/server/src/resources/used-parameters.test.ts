/**
 * A parameter that a route lists and its handler ignores makes a request do more than its client means. So every listed parameter has to be
 * read, and a request that names a branch has to leave everything else as it is. The lists are those of the router.
 */
import { DEFAULT_SERVICE_LIMITS } from '../host/index.js';
import { afterEach, expect, test, vi } from 'vitest';
import { closedList } from '../parameters/closed-parameters.js';
import { ALIASES, FIELD_NAMES, PREFIXES, TOLERATED } from '../parameters/known-parameters.js';
import type { Method, Service } from '../service.js';
import { Scene, type Sent, validRequests } from '../testing/scene.js';
import { routes } from './index.js';

const hosted = { limits: DEFAULT_SERVICE_LIMITS } as Service['hosted'];
const CHANGES = routes({ hosted, directGraphs: true } as Service).flatMap(({ path, methods }) =>
  (Object.keys(methods) as Method[])
    .filter((method) => method !== 'GET')
    .map((method) => ({ method, path, taken: methods[method]!, key: `${method} ${path.replace(/\{[^}]*\}/g, '')}` })),
);
/** Without effect by intent, read by their beginning or as a record, or before the route. */
const ELSEWHERE: ReadonlySet<string> = new Set([...TOLERATED, ...PREFIXES, ...FIELD_NAMES, 'auth_token']);

const R = '/:account/:repository';
const FORM = 'application/x-www-form-urlencoded';
const QUERY: Sent = { path: '', type: 'application/sparql-query', body: 'SELECT * { ?s ?p ?o }' };
const UPDATE: Sent = { path: '', type: 'application/sparql-update', body: 'INSERT DATA { <urn:n> <urn:p> 1 }' };
const form = (body: string): Sent => ({ path: '', type: FORM, body });
const SPARQL = [QUERY, form('query=ASK{}'), UPDATE, form('update=INSERT+DATA{}'), form('query=ASK{}&update=x')];
/** Other kinds of requests of a route: each reads parameters of its own. */
const KINDS: Readonly<Record<string, readonly Sent[]>> = {
  [`POST ${R}`]: SPARQL,
  [`POST ${R}/sparql`]: SPARQL,
  [`POST ${R}/statements`]: [...SPARQL.slice(2, 4), form('url=http://127.0.0.1:1/')],
  [`POST ${R}/branches/:name/merge`]: [{ path: '/acme/people/branches/dev/merge?preview=1' }],
  [`PUT ${R}/statements`]: [form('url=http://127.0.0.1:1/')],
  [`PUT ${R}/views/:view`]: [form('query=ASK{}')],
  ...Object.fromEntries(['/service', '/rdf-graphs/service'].map((path) => [`PATCH ${R}${path}`, [UPDATE]])),
};

const read = new Set<string>();
const spy = (): void => {
  for (const name of ['get', 'getAll', 'has'] as const) {
    const original = URLSearchParams.prototype[name] as (parameter: string) => never;
    vi.spyOn(URLSearchParams.prototype, name).mockImplementation(function (this: URLSearchParams, parameter: string) {
      read.add(parameter);
      return original.call(this, parameter);
    });
  }
};
afterEach(() => vi.restoreAllMocks());

const initOf = ({ type, body }: Sent): RequestInit => ({
  ...(body !== undefined && { body }),
  headers: {
    ...(type !== undefined && { 'Content-Type': type }),
    ...(body !== undefined && { 'Content-Length': String(body.length) }),
  },
});

test.each(CHANGES.map((each) => [each.key, each] as const))(
  '%s reads what it takes',
  async (key, { method, path, taken }) => {
    const scene = await Scene.open();
    const sent = validRequests(scene.ids)[key];
    // The handler refuses every request.
    if (sent === undefined) return scene.close();
    spy();
    read.clear();
    const actions =
      path.endsWith('/transactions/:id') && method !== 'DELETE' ? 'ADD DELETE GET SIZE QUERY UPDATE'.split(' ') : [];
    for (const action of actions)
      await scene.send(
        method,
        sent.path.replace('COMMIT', action),
        initOf(action === 'UPDATE' ? UPDATE : action === 'QUERY' ? QUERY : { path: '', type: 'text/turtle', body: '' }),
      );
    for (const kind of KINDS[key] ?? []) {
      const at = kind.path || (kind === UPDATE && method === 'PATCH' ? sent.path.replace(/\?.*/, '') : sent.path);
      await (await scene.send(method, at, initOf(kind))).text();
    }
    await (await scene.send(method, sent.path, initOf(sent))).text();
    vi.restoreAllMocks();
    const names = [...closedList(taken.names, path)].filter((name) => !ELSEWHERE.has(name));
    const known = new Set([...read].flatMap((name) => [name, ALIASES[name] ?? name]));
    expect(names.filter((name) => !known.has(name) && !known.has(ALIASES[name] ?? name))).toEqual([]);
    await scene.close();
  },
);

/** What the branch of a request is for, where the request changes more than the branch. */
const BEYOND = [`PUT ${R}/refs/:name`, `PUT ${R}/branches/:name`];
/** These name their branch in the path, or are of a branch that was named before. */
const OF_MAIN = /\/transactions\/:id$|\/branches\/:name$/;
const NAMED = CHANGES.filter(({ path }) => path.includes('/:repository'));

test.each(NAMED.map((each) => [each.key, each] as const))(
  '%s of a branch leaves the others',
  async (key, { method }) => {
    const scene = await Scene.open();
    const sent = validRequests(scene.ids)[key];
    if (sent === undefined) return scene.close();
    // Jobs, the record of changes and the branch itself are to change, and so are the bytes of all.
    const others = (line: string): boolean =>
      !/^(?:\/jobs|upload|\{"(?:time|uuid)":|\/acme\/people\/audit|\{"name":"(?:dev|other)","head")/.test(line);
    const state = async (): Promise<unknown> => [
      (await scene.main.revision()).id,
      (await scene.state())
        .replace(/"byte_size":\d+/g, '')
        .split('\n')
        .filter(others)
        .map((line) => line.replace(/,$/, '')),
    ];
    const before = await state();
    const separator = sent.path.includes('?') ? '&' : '?';
    const { status } = await scene.send(method, `${sent.path}${separator}branch=dev`, initOf(sent));
    if (!BEYOND.includes(key)) expect(await state()).toEqual(before);
    // A branch is no part of what is asked for, or the request is done on it.
    expect([key, status < 300 || status === 400 || status === 404 || OF_MAIN.test(key)]).toEqual([key, true]);
    await scene.close();
  },
);

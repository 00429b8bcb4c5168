/**
 * Every route and method × every parameter that it does not take, every encoding that is none, and every origin that is foreign. The routes, and what they take, are read
 * from the router's own tables: a new route needs a request in `testing/scene.ts` before this test passes.
 */
import { DEFAULT_SERVICE_LIMITS } from '../host/index.js';
import { agents } from '../mcp/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALIASES, MAY_BE_EMPTY, PREFIXES, REPEATABLE } from '../parameters/known-parameters.js';
import { closedList } from '../parameters/closed-parameters.js';
import type { Method, Service } from '../service.js';
import { Scene, type Sent, sample, validRequests } from '../testing/scene.js';
import { routes } from './index.js';

/** A method of a route, with what it takes. */
interface Tried {
  readonly method: Method;
  readonly path: string;
  readonly names: readonly string[];
  readonly body: 'form' | 'typed' | 'raw';
}
/** What is added to a valid request, and how the answer has to be. */
interface Trial {
  readonly query?: string;
  /** The fields of a form, in place of the body. */
  readonly form?: string;
  /** In place of the last segment of the path. */
  readonly segment?: string;
  /** By POST with `_method`, or with the header. */
  readonly overridden?: true;
  /** In place of the type of the body. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: string;
  /** `details.parameter`. */
  readonly parameter?: string;
}
/** A column of the table: what is tried with each method of each route. */
type Column = (tried: Tried) => Iterable<Trial>;

const hosted = { limits: DEFAULT_SERVICE_LIMITS } as Service['hosted'];
const TABLE: readonly Tried[] = routes({
  hosted,
  directGraphs: true,
  agents: agents({ tools: [] }),
} as unknown as Service).flatMap(({ path, methods }) =>
  (Object.keys(methods) as Method[]).map((method) => {
    const taken = methods[method]!;
    const names = [...closedList(taken.names, path)];
    return { method, path: path.replace(/\{[^}]*\}/g, ''), names, body: taken.body };
  }),
);
const CHANGES = TABLE.filter(({ method }) => method !== 'GET');
const READS = TABLE.filter(({ method }) => method === 'GET');

const FILTERS = 'graph graph-uri context subj pred obj subject predicate object revision revision-id branch'.split(' ');
const refused = (name: string, value: string): Trial => ({
  query: `${encodeURIComponent(name)}=${value}`,
  status: 400,
  code: 'INVALID_PARAMETER',
  parameter: name,
});
const takes = ({ names }: Tried, name: string): boolean => names.includes(name);
const isPrefix = (name: string): boolean => PREFIXES.some((prefix) => prefix === name);
const inForm = (trials: Iterable<Trial>): Trial[] =>
  [...trials].map(({ query, ...trial }) => ({ ...trial, form: query! }));

/** Names that nothing has, in the address and in a form. */
function* unknown(tried: Tried): Generator<Trial> {
  const trials = ['xyzzy', 'constructor', '__proto__', '', ' '].map((name) => refused(name, '1'));
  yield* trials;
  if (tried.body !== 'raw') yield* inForm(trials);
  if (tried.body !== 'raw' && tried.method !== 'POST')
    yield* inForm(trials.slice(0, 1)).map((trial) => ({ ...trial, overridden: true as const }));
}

/** What other resources and servers take: filters, and choices of a graph or a revision. */
function* foreign(tried: Tried): Generator<Trial> {
  const names = [
    ...FILTERS,
    ...FILTERS.map((name) => name.toUpperCase()),
    'Graph',
    'graphs',
    'contxt',
    'dry-run',
    'preview',
  ];
  const trials = names.filter((name) => !takes(tried, name)).map((name) => refused(name, '%3Curn%3Ag%3E'));
  yield* trials;
  if (tried.body !== 'raw') yield* inForm(trials);
}

/** What it takes, with a letter left out, with two in another order, and in capitals. */
function* misspelt(tried: Tried): Generator<Trial> {
  for (const name of tried.names.filter((each) => !isPrefix(each))) {
    const wrong = [name.slice(0, -1), name.slice(0, 1) + name.slice(2, 3) + name.slice(1, 2) + name.slice(3)];
    for (const each of new Set([...wrong, name.toUpperCase(), ` ${name}`]))
      if (!takes(tried, each)) yield refused(each, '1');
  }
}

function* empty({ names }: Tried): Generator<Trial> {
  for (const name of names.filter((each) => !isPrefix(each) && !MAY_BE_EMPTY.has(ALIASES[each] ?? each)))
    if (name !== 'auth_token') for (const value of ['', '%20', '+%09']) yield refused(name, value);
}

function* doubled({ names }: Tried): Generator<Trial> {
  for (const name of names.filter((each) => !isPrefix(each) && !REPEATABLE.has(each))) {
    const other = ALIASES[name] ?? name;
    yield { ...refused(name, '1'), query: `${other}=1&${name}=1` };
  }
}

/** Percent-encoding that is no UTF-8. */
function* encodings({ names, path, body }: Tried): Generator<Trial> {
  const wrong = { status: 400, code: 'INVALID_ENCODING' };
  for (const name of names.filter((each) => !isPrefix(each))) yield { ...wrong, query: `${name}=%FF` };
  for (const codes of ['%FF', '%C3', '%c3%28', 'a%E9b', '%ED%A0%80', '%F4%90%80%80', '%E2%82']) {
    yield { ...wrong, query: `xyzzy=${codes}` };
    yield { ...wrong, query: `${codes}=1` };
    if (path.includes(':')) yield { ...wrong, segment: codes };
    if (body !== 'raw') yield { ...wrong, form: `xyzzy=${codes}` };
  }
  if (path.includes(':')) for (const segment of ['%', '%2', '%zz', 'a%u0041']) yield { ...wrong, segment };
}

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** What a page of another site makes a browser send, with the credentials that it keeps. */
function* origins({ method }: Tried): Generator<Trial> {
  const forbidden = { status: 403, code: 'FOREIGN_ORIGIN' };
  const evil = { Origin: 'https://evil.example' };
  const senders: Record<string, string>[] = [
    evil,
    { ...evil, 'Sec-Fetch-Site': 'cross-site' },
    { ...evil, 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'null' },
    { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'http://localhost:2' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' },
  ];
  for (const headers of senders) yield { ...forbidden, headers };
  for (const type of FORM_TYPES) {
    yield { ...forbidden, headers: evil, type };
    yield { ...forbidden, headers: { ...evil, 'X-HTTP-Method-Override': method }, type, overridden: true };
    if (method === 'POST') yield { ...forbidden, headers: { 'User-Agent': FIREFOX }, type };
  }
  for (const headers of [evil, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }, { 'User-Agent': FIREFOX }])
    yield { ...forbidden, headers, form: 'a=1', overridden: true };
}

const COLUMNS: Readonly<Record<string, Column>> = { unknown, foreign, misspelt, empty, doubled, encodings };
/** What reads are tried with: filters, which they would ignore, and encodings. */
const READ_COLUMNS: Readonly<Record<string, Column>> = {
  *foreign(tried) {
    for (const trial of foreign(tried)) if (FILTERS.some((name) => near(name, trial.parameter!))) yield trial;
  },
  *doubled(tried) {
    for (const trial of doubled(tried)) if (FILTERS.includes(trial.parameter!)) yield trial;
  },
  encodings,
};
const near = (filter: string, name: string): boolean =>
  name.toLowerCase() === filter || name.toLowerCase() === `${filter}s` || (filter === 'context' && name === 'contxt');

let count = 0;
afterAll(() =>
  console.log(`every route: ${String(TABLE.length)} methods of routes, ${String(count)} requests were tried`),
);

function requestOf(tried: Tried, valid: Sent, trial: Trial): readonly [path: string, init: RequestInit] {
  let { path } = valid;
  if (trial.segment !== undefined) path = path.replace(/[^/?]+(?=\?|$)/, trial.segment);
  if (trial.query !== undefined) path += `${path.includes('?') ? '&' : '?'}${trial.query}`;
  const isForm = trial.form !== undefined;
  const type = trial.type ?? (isForm ? 'application/x-www-form-urlencoded' : valid.type);
  const body = isForm ? `${trial.overridden ? `_method=${tried.method}&` : ''}${trial.form}` : valid.body;
  // The handler reads the length before it looks into a form.
  const length = isForm ? { 'Content-Length': String(body!.length) } : {};
  return [
    path,
    {
      ...(body !== undefined && { body }),
      headers: { ...(type && { 'Content-Type': type }), ...length, ...trial.headers },
    },
  ];
}

async function faultOf(scene: Scene, tried: Tried, valid: Sent, trial: Trial): Promise<string | undefined> {
  const [path, init] = requestOf(tried, valid, trial);
  const method = trial.overridden ? 'POST' : tried.method;
  const response = await scene.send(method, path, init);
  count++;
  const answer = await response.text();
  const { code, details } = (answer.startsWith('{') ? JSON.parse(answer) : {}) as {
    code?: string;
    details?: { parameter?: string };
  };
  const isRight =
    response.status === trial.status &&
    code === trial.code &&
    (trial.parameter === undefined || details?.parameter === trial.parameter);
  return isRight
    ? undefined
    : `${method} ${path} ${trial.form ?? ''}: ${String(response.status)} ${answer.slice(0, 200)}`;
}

/** Methods that take the same in the same way: the first is tried with all, and the others with the first trials of each column. */
const kindOf = ({ method, names, body, path }: Tried): string =>
  `${method} ${body} ${names.join()} ${String(path.includes(':'))}`;
const FIRST = new Set(new Map(CHANGES.toReversed().map((tried) => [kindOf(tried), tried])).values());
const SHARE = 3;

describe('what changes something', () => {
  let scene: Scene;
  let before: string;
  beforeAll(async () => {
    scene = await Scene.open();
    before = await scene.state();
  });
  afterAll(() => scene.close());

  test.each(CHANGES.map((tried) => [`${tried.method} ${tried.path}`, tried] as const))('%s', async (key, tried) => {
    const requests = validRequests(scene.ids);
    expect(Object.keys(requests), 'a valid request is missing in testing/scene.ts').toContain(key);
    const valid = requests[key] ?? { path: sample(tried.path) };
    const trials = Object.values(COLUMNS).flatMap((column) => {
      const all = [...column(tried)];
      return FIRST.has(tried) ? all : all.slice(0, SHARE);
    });
    const sent = trials.concat(
      [...origins(tried)].map((trial) => ({ ...trial, headers: { Authorization: scene.basic, ...trial.headers } })),
    );
    const faults: (string | undefined)[] = [];
    for (const trial of sent) faults.push(await faultOf(scene, tried, valid, trial));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    expect(await scene.state()).toBe(before);
  });
});

test('what reads', async () => {
  const scene = await Scene.open();
  const faults: string[] = [];
  for (const tried of READS) {
    const valid = { path: sample(tried.path) };
    for (const column of Object.values(READ_COLUMNS)) {
      for (const trial of column(tried)) {
        const { form: _, ...inAddress } = trial;
        if (trial.form !== undefined) continue;
        const fault = await faultOf(scene, tried, valid, inAddress);
        if (fault !== undefined) faults.push(fault);
      }
    }
    // A parameter that looks like no filter is ignored.
    const separator = valid.path.includes('?') ? '&' : '?';
    for (const name of ['_', 'utm_source', 'xyzzy']) {
      const [plain, more] = [
        await statusOf(scene, valid.path),
        await statusOf(scene, `${valid.path}${separator}${name}=1`),
      ];
      if (plain !== more) faults.push(`GET ${valid.path}: ${String(plain)}, with ${name} ${String(more)}`);
    }
  }
  expect(faults).toEqual([]);
  await scene.close();
});

async function statusOf(scene: Scene, path: string): Promise<number> {
  count++;
  const response = await scene.send('GET', path);
  await response.body?.cancel();
  return response.status;
}

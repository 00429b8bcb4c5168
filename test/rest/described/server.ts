/** A server in this process, and requests to it that are made from its description, or are such as strangers send. */
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService, type Service } from '@quadrille/server/host';
import { type Database, open } from 'quadrille';
import { Described, type Operation } from './document.js';
import { type Made, type Random, Requests } from './requests.js';

/** What a server may answer for a reason of its own; an answer in plain text has no code. A trim waits 5 s for the transactions that earlier requests have left open. */
const BUSY = new Set(['QUERY_TIMEOUT', 'REPOSITORY_BUSY']);
const NOT_IMPLEMENTED = 501;
/** Requests after which is made again what they have removed. */
const FURNISH = 40;

interface Got {
  readonly status: number;
  readonly type: string | null;
  readonly body: Uint8Array;
  readonly headers: Headers;
}

export class DescribedServer {
  readonly statuses = new Map<number, number>();
  readonly #tokens = { operator: '', owner: '', reader: '' };
  #sent = 0;

  private constructor(
    private readonly database: Database,
    private readonly service: Service,
    private readonly node: NodeServer,
    private readonly described: Described,
    /** Without a socket between. */
    private readonly handler: ((request: Request) => Promise<Response>) | undefined,
  ) {}

  /** @param direct whether requests go to the handler, without a socket */
  static async start({ direct = false } = {}): Promise<DescribedServer> {
    const database = await open(':memory:');
    const service = await openService(database, { rateLimit: false, queries: { timeoutMs: 2000 } });
    const handler = createHandler({ service });
    const node = await serveNode(handler, { port: 0 });
    const described = new Described((await (await fetch(`${node.url}/openapi.json`)).json()) as object);
    const server = new DescribedServer(
      database,
      service,
      node,
      described,
      direct ? async (request) => handler(request) : undefined,
    );
    await server.#furnish();
    return server;
  }

  get operations(): readonly Operation[] {
    return this.described.operations;
  }

  async stop(): Promise<void> {
    await this.node.close(0);
    await this.service.close();
    await this.database.close();
  }

  /** Makes again what requests have removed. */
  async #furnish(): Promise<void> {
    const { service, database } = this;
    for (const name of ['root', 'acme', 'jo'])
      if ((await service.accounts.get(name)) === undefined)
        await service.accounts.create(name, { admin: name === 'root' });
    for (const name of ['root', 'acme']) await service.tokens.revokeAll(name);
    this.#tokens.operator = (await service.tokens.create('root')).text;
    this.#tokens.owner = (await service.tokens.create('acme')).text;
    this.#tokens.reader = (await service.tokens.create('acme', { rights: ['read'] })).text;
    const people = await database.repository('acme/people', { create: true });
    await people.add([]);
    await people.update(
      'INSERT DATA { <urn:a> a <urn:C> ; <urn:p> 1, "x"@en . GRAPH <urn:g> { <urn:a> <urn:q> <urn:b> } }',
    );
    await people.tags.set('v1', 'HEAD');
    const dev = await people.branches.open('dev', { create: true });
    await dev.update('INSERT DATA { <urn:b> <urn:p> 2 }');
    await people.namespaces.set('ex', 'http://example.org/');
    const root = { account: 'root', admin: true, readOnly: false } as const;
    await service.views.set(root, 'acme/people', 'all', 'SELECT * { ?s ?p ?o }');
  }

  async #send({ method, path, headers, body }: Made, token: string | undefined): Promise<Got> {
    const init: RequestInit = {
      method,
      headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      redirect: 'manual',
      ...(body !== undefined && { body: body as BodyInit }),
    };
    const url = this.node.url + path;
    const response = await (this.handler === undefined ? fetch(url, init) : this.handler(new Request(url, init)));
    const { status } = response;
    const type = response.headers.get('Content-Type');
    // A feed has no end.
    if (type?.startsWith('text/event-stream') === true) {
      await response.body?.cancel();
      return { status, type, body: new Uint8Array(), headers: response.headers };
    }
    return { status, type, body: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
  }

  /** What sends requests with these choices. */
  requests(random: Random): (operation: Operation) => Promise<string | undefined> {
    const ids = (): string[] =>
      this.service.jobs
        .list({ account: 'acme', admin: true, readOnly: false }, { status: 'all' })
        .map(({ uuid }) => uuid)
        .slice(0, 5);
    const requests = new Requests(this.described, random, ids);
    return (operation) => this.#one(operation, requests.make(operation), random);
  }

  /** Sends one request. Answers what is wrong with what comes back. */
  async #one(operation: Operation, made: Made, next: Random): Promise<string | undefined> {
    if (this.#sent++ % FURNISH === 0) await this.#furnish();
    const { operator, owner, reader } = this.#tokens;
    const whose = [operator, operator, operator, owner, owner, owner, owner, reader, undefined, 'qdt_wrong'];
    const who = whose[next(whose.length)];
    const got = await this.#send(made, who);
    if (made.method === 'DELETE' && got.status < 300) await this.#furnish();
    this.statuses.set(got.status, (this.statuses.get(got.status) ?? 0) + 1);
    const fault = this.described.fault(operation, got.status, got.type, got.body) ?? breach(got);
    if (fault !== undefined) return `${fault}\n    ${shown(made)}`;
    if (operation.method !== 'GET' || got.status >= 300 || made.path.includes('/changes')) return undefined;
    const head = await this.#send({ ...made, method: 'HEAD' }, who);
    if (head.status === got.status && head.type === got.type) return undefined;
    return `HEAD is ${String(head.status)} ${String(head.type)}, GET ${String(got.status)} ${String(got.type)}\n    ${shown(made)}`;
  }
}

/** Whole numbers that a seed determines. */
export function randomBelow(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** What is wrong with an answer, beside what the document says. */
function breach({ status, headers, body }: Got): string | undefined {
  if (!/^[\da-f-]{36}$/.test(headers.get('Request-Id') ?? '')) return 'it has no Request-Id';
  if (status === 401 && headers.get('WWW-Authenticate') !== 'Basic realm="Application"') return 'a 401 names no realm';
  if (status < 500 || status === NOT_IMPLEMENTED) return undefined;
  const text = new TextDecoder().decode(body);
  return [...BUSY].some((code) => text.includes(code)) || /took longer than|under way for 5 s/.test(text)
    ? undefined
    : `a fault of the server: ${text}`;
}

const shown = ({ method, path, headers, body }: Made): string =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${JSON.stringify(new TextDecoder('latin1').decode(body?.subarray(0, 200)))}`;

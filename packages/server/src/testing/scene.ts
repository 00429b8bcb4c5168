/** A populated store behind a handler, with all that requests could change, and a request for each route that would change it. */
import { openService, type Service as HostedService } from '../host/index.js';
import { type Database, open, type Repository } from 'quadrille';
import { createHandler, type Handler } from '../handler.js';
import { agents } from '../mcp/index.js';
import { BASE, TURTLE } from './server.js';

export interface Sent {
  /** After the origin, with the parameters that the request needs. */
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

const R = '/acme/people';
const JSON_TYPE = 'application/json';
const json = (path: string, body: object): Sent => ({ path, type: JSON_TYPE, body: JSON.stringify(body) });
const turtle = (path: string): Sent => ({ path, type: 'text/turtle', body: '<urn:new> <urn:p> "new" .' });
const text = (path: string, body: string): Sent => ({ path, type: 'text/plain', body });
const update = (path: string): Sent => ({
  path,
  type: 'application/sparql-update',
  body: 'INSERT DATA { <urn:new> <urn:p> "new" }',
});

/** Of a repository, by method and path below it. */
const inRepository = (transaction: string): Readonly<Record<string, Sent | undefined>> => ({
  'POST ': update(R),
  'DELETE ': { path: R },
  'PUT /meta': json(`${R}/meta`, { summary: 'new' }),
  'PATCH /settings': json(`${R}/settings`, { functional: ['urn:p'] }),
  'POST /erase': json(`${R}/erase`, { term: '<urn:a>', reason: 'r' }),
  'POST /fork': json(`${R}/fork`, { target: 'acme/copy' }),
  'POST /jobs': json(`${R}/jobs`, { operation: 'verify' }),
  'PUT /collaborators/:collaborator': json(`${R}/collaborators/jo`, { read: true, write: true }),
  'DELETE /collaborators/:collaborator': { path: `${R}/collaborators/jo` },
  'DELETE /namespaces': { path: `${R}/namespaces` },
  'PUT /namespaces/:prefix': text(`${R}/namespaces/ex`, 'urn:new:'),
  'DELETE /namespaces/:prefix': { path: `${R}/namespaces/ex` },
  'DELETE /revisions': { path: `${R}/revisions?last=1` },
  'POST /revisions/:ref/revert': { path: `${R}/revisions/HEAD/revert` },
  'POST /revisions/:ref/cherry-pick': { path: `${R}/revisions/dev/cherry-pick` },
  'POST /branches/:name/merge': { path: `${R}/branches/dev/merge` },
  'PUT /branches/:name': { path: `${R}/branches/new` },
  'PATCH /branches/:name': json(`${R}/branches/dev`, { name: 'other' }),
  'DELETE /branches/:name': { path: `${R}/branches/dev?force=1` },
  'POST /reset': { path: `${R}/reset?to=2` },
  'POST /changes': {
    path: `${R}/changes`,
    type: 'application/rdf-patch',
    body: 'TX .\nA <urn:n> <urn:p> "n" .\nTC .\n',
  },
  'POST /changes/common': json(`${R}/changes/common`, { have: [] }),
  'PUT /refs/:name': { path: `${R}/refs/v2` },
  'DELETE /refs/:name': { path: `${R}/refs/v1` },
  'POST /sparql': update(`${R}/sparql`),
  'POST /parse': { path: `${R}/parse`, type: 'application/sparql-query', body: 'ASK {}' },
  'POST /validate': turtle(`${R}/validate`),
  'PUT /views/:view': { path: `${R}/views/all`, type: 'application/sparql-query', body: 'ASK {}' },
  'POST /views/:view': undefined,
  'DELETE /views/:view': { path: `${R}/views/all` },
  'POST /transactions': { path: `${R}/transactions` },
  'PUT /transactions/:id': { path: `${R}/transactions/${transaction}?action=COMMIT` },
  'POST /transactions/:id': { path: `${R}/transactions/${transaction}?action=COMMIT` },
  'DELETE /transactions/:id': { path: `${R}/transactions/${transaction}` },
  'POST /statements': turtle(`${R}/statements`),
  'PUT /statements': turtle(`${R}/statements`),
  'DELETE /statements': { path: `${R}/statements` },
});

/** Of the server and its accounts. */
const ofServer = ({ token, upload }: Ids): Readonly<Record<string, Sent | undefined>> => ({
  'POST /session': undefined,
  'POST /mcp': json('/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }),
  'DELETE /mcp': undefined,
  'POST /backup': { path: '/backup' },
  'POST /accounts': json('/accounts', { name: 'new' }),
  'DELETE /accounts/:account': { path: '/accounts/acme?force=1' },
  'DELETE /queries': { path: '/queries' },
  'DELETE /queries/:id': undefined,
  'PATCH /jobs/:id': { path: `/jobs/${upload}`, type: 'application/partial-upload', body: '<urn:n> <urn:p> "n" .\n' },
  'DELETE /jobs/:id': { path: `/jobs/${upload}` },
  'POST /rest/login/:user': undefined,
  'POST /:account/tokens': json('/acme/tokens', {}),
  'DELETE /:account/tokens/:id': { path: `/acme/tokens/${token}` },
  'DELETE /:account/namespaces': { path: '/acme/namespaces' },
  'PUT /:account/namespaces/:prefix': text('/acme/namespaces/ex', 'urn:new:'),
  'DELETE /:account/namespaces/:prefix': { path: '/acme/namespaces/ex' },
  'POST /:account/repositories': json('/acme/repositories', { name: 'new' }),
});

/** By method and path of the table of routes, without patterns: a request that succeeds. `undefined`: none of them changes anything. */
export function validRequests(ids: Ids): Readonly<Record<string, Sent | undefined>> {
  const graphs = (path: string, query = ''): [string, Sent][] => [
    [`PUT ${path}`, turtle(`${sample(path)}${query}`)],
    [`POST ${path}`, turtle(`${sample(path)}${query}`)],
    [`PATCH ${path}`, turtle(`${sample(path)}${query}`)],
    [`DELETE ${path}`, { path: `${sample(path)}${query}` }],
  ];
  return {
    ...ofServer(ids),
    ...Object.fromEntries(
      Object.entries(inRepository(ids.transaction)).map(([key, sent]) => [
        key.replace(' ', ' /:account/:repository'),
        sent,
      ]),
    ),
    ...Object.fromEntries([
      ...graphs('/:account/:repository/service', '?graph=urn:g'),
      ...graphs('/:account/:repository/rdf-graphs/service', '?graph=urn:g'),
      ...graphs('/:account/:repository/rdf-graphs/:graph'),
      ...graphs('/:account/:repository/graphs/:graph'),
      ...graphs('/:account/:repository/:graph'),
    ]),
  };
}

const SAMPLES: Readonly<Record<string, string>> = {
  account: 'acme',
  repository: 'people',
  collaborator: 'jo',
  prefix: 'ex',
  ref: 'HEAD',
  name: 'dev',
  view: 'all',
  graph: 'named',
  extension: 'ttl',
  page: '1',
  id: '1',
  user: 'acme',
  uri: 'http://localhost/acme/people',
};
/** An address of a route. */
export const sample = (path: string): string =>
  path.replace(/:(\w+)(?:\{[^}]*\})?/g, (_, name: string) => SAMPLES[name] ?? name);

/** Ids that only a running server knows. */
interface Ids {
  readonly token: string;
  readonly transaction: string;
  readonly upload: string;
}

export class Scene {
  private constructor(
    readonly database: Database,
    readonly service: HostedService,
    readonly handler: Handler,
    readonly main: Repository,
    private readonly credentials: string,
    readonly ids: Ids,
  ) {}

  static async open(): Promise<Scene> {
    const database = await open(':memory:');
    const service = await openService(database);
    const handler = createHandler({ service, directGraphs: true, agents: agents({ tools: ['data', 'change'] }) });
    await service.accounts.create('root', { admin: true });
    for (const account of ['acme', 'jo']) await service.accounts.create(account);
    const credentials = `Bearer ${(await service.tokens.create('root')).text}`;
    const { token } = await service.tokens.create('acme');
    const main = await database.repository('acme/people', { create: true });
    await main.update('INSERT DATA { <urn:a> <urn:p> "default" GRAPH <urn:g> { <urn:a> <urn:p> "g" } }');
    await main.update(`INSERT DATA { GRAPH <${BASE}/acme/people/graphs/named> { <urn:a> <urn:p> "direct" } }`);
    await main.update(`INSERT DATA { GRAPH <${BASE}/acme/people/rdf-graphs/named> { <urn:a> <urn:p> "direct" } }`);
    await main.update(`INSERT DATA { GRAPH <${BASE}/acme/people/named> { <urn:a> <urn:p> "direct" } }`);
    const dev = await main.branches.open('dev', { create: true });
    await dev.update('INSERT DATA { <urn:dev> <urn:p> "dev" }');
    await main.tags.set('v1', 'HEAD');
    await main.namespaces.set('ex', 'urn:ex:');
    const begun: Ids = { token: token.id, transaction: '', upload: '' };
    const scene = new Scene(database, service, handler, main, credentials, begun);
    const send = (method: string, path: string, body?: string, headers = {}): Promise<Response> =>
      scene.send(method, path, { ...(body !== undefined && { body }), headers });
    await send('PUT', '/acme/namespaces/ex', 'urn:ex:');
    await send('PUT', `${R}/views/all`, 'SELECT * { ?s ?p ?o }', { 'Content-Type': 'application/sparql-query' });
    await send('PUT', `${R}/collaborators/jo`, '{"read":true}', { 'Content-Type': JSON_TYPE });
    const lastOf = (response: Response): string => response.headers.get('Location')!.replace(/^.*\//, '');
    const transaction = lastOf(await send('POST', `${R}/transactions`));
    const upload = lastOf(
      await send('POST', `${R}/statements`, '<urn:u> <urn:p> "u" .\n', { ...TURTLE, 'Upload-Complete': '?0' }),
    );
    return new Scene(database, service, handler, main, credentials, { token: token.id, transaction, upload });
  }

  /** The credentials of the operator as a browser keeps them. */
  get basic(): string {
    return `Basic ${btoa(`${this.credentials.slice('Bearer '.length)}:X`)}`;
  }

  /** Sends a request of an operator. */
  send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('Authorization')) headers.set('Authorization', this.credentials);
    return this.handler(new Request(BASE + path, { ...init, method, headers }));
  }

  /** All that a request could change, as a text. */
  async state(): Promise<string> {
    const paths = ['/accounts', '/jobs?status=all', '/acme/tokens', '/acme/namespaces', '/acme/repositories'];
    const below = ['/settings', '/collaborators', '/namespaces', '/refs', '/branches', '/views', '/audit', '/meta'];
    const parts = [];
    for (const path of [...paths, ...below.map((each) => R + each)]) {
      const answer = await (await this.send('GET', path, { headers: { Accept: JSON_TYPE } })).text();
      // The time of a lookup is no change.
      parts.push(`${path} ${answer.replace(/"requestId":"[^"]*"/g, '')}`);
    }
    const { transaction, upload } = this.ids;
    const held = await this.send('GET', `${R}/transactions/${transaction}?action=SIZE`);
    parts.push(`transaction ${await held.text()}`);
    parts.push(`upload ${(await this.send('GET', `/jobs/${upload}`)).headers.get('Upload-Offset') ?? ''}`);
    return parts.join('\n');
  }

  /** Ends what is under way. */
  async settle(): Promise<void> {
    await this.send('DELETE', `${R}/transactions/${this.ids.transaction}`);
    await this.send('DELETE', `/jobs/${this.ids.upload}`);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.database.close();
  }
}

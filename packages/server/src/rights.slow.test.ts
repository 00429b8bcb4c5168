// Every route of the table × method × who asks × what the repository is × both path forms: what the rules of the interface
// say, against what is answered. A new route is tested because it is in the table.
import { open } from 'quadrille';
import { openService, type Service } from './host/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from './handler.js';
import { Observer } from './observer.js';
import { routes } from './resources/index.js';
import type { Access, Method, Route } from './service.js';

const CALLERS = [
  'anonymous',
  'other',
  'reader',
  'writer',
  'owner',
  'owner-read-only',
  'owner-writes',
  'reader-of-none',
  'operator',
] as const;
type CallerName = (typeof CALLERS)[number];
const PRIVACIES = ['public', 'private', 'authenticated', 'missing'] as const;
type Privacy = (typeof PRIVACIES)[number];
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const OWNER = { account: 'acme', readOnly: false, admin: false };

let service: Service;
let handler: Handler;
const tokens: Partial<Record<CallerName, string>> = {};
beforeAll(async () => {
  service = await openService(await open(':memory:'), { rateLimit: false });
  for (const name of ['acme', 'other', 'reader', 'writer']) await service.accounts.create(name);
  await service.accounts.create('root', { admin: true });
  await addRepositories();
  const token = async (account: string, readOnly = false): Promise<string> =>
    (await service.tokens.create(account, { readOnly })).text;
  tokens.owner = await token('acme');
  tokens['owner-read-only'] = await token('acme', true);
  tokens['owner-writes'] = (await service.tokens.create('acme', { rights: ['write'] })).text;
  tokens.operator = await token('root');
  tokens.other = await token('other');
  tokens.reader = await token('reader');
  tokens.writer = await token('writer');
  tokens['reader-of-none'] = await token('other', true);
  handler = createHandler({ service });
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

/** What a request of a test has deleted, anew. */
async function addRepositories(): Promise<void> {
  const names = (await service.database.repositories('acme').toArray()).map(({ name }) => name);
  for (const privacy of ['public', 'private', 'authenticated'] as const) {
    const name = `acme/${privacy}`;
    if (!names.includes(name)) await service.repositories.create(OWNER, 'acme', { name: privacy, privacy });
    const collaborators = await service.repositories.collaborators(OWNER, name);
    if (collaborators['reader'] !== 'read') await service.repositories.setCollaborator(OWNER, name, 'reader', 'read');
    if (collaborators['writer'] !== 'write') await service.repositories.setCollaborator(OWNER, name, 'writer', 'write');
  }
}

/** The table alone; its handlers are not called. */
const table: readonly Route[] = routes({ observer: new Observer(undefined), hosted: {} } as unknown as Parameters<
  typeof routes
>[0]);

/** What somebody may do with a repository. */
function accessOf(caller: CallerName, privacy: Privacy): 'none' | 'read' | 'write' | 'owner' {
  if (privacy === 'missing') return 'none';
  if (caller === 'owner' || caller === 'operator') return 'owner';
  if (caller === 'owner-read-only' || caller === 'reader') return 'read';
  if (caller === 'writer' || caller === 'owner-writes') return 'write';
  return privacy === 'public' || (privacy === 'authenticated' && caller !== 'anonymous') ? 'read' : 'none';
}

/** The refusal that is due; `undefined`: the request gets through to its handler. */
function refusal(caller: CallerName, privacy: Privacy, access: Access, isAboutRepository: boolean): number | undefined {
  if (access === 'public') return undefined;
  if (!isAboutRepository) {
    if (caller === 'anonymous') return 401;
    if (caller === 'operator') return undefined;
    return access === 'known' || (caller === 'owner' && access !== 'operator') ? undefined : 403;
  }
  if (access === 'known') return caller === 'anonymous' ? 401 : undefined;
  const has = accessOf(caller, privacy);
  if (has === 'none') return caller === 'anonymous' ? 401 : 404;
  if (access === 'read' || has === access || has === 'owner') return undefined;
  return caller === 'anonymous' ? 401 : 403;
}

const pathOf = ({ path }: Route, privacy: Privacy): string =>
  path
    .replace(':account', 'acme')
    .replace(':repository', privacy)
    .replace(':extension', 'nt')
    .replace(':collaborator', 'reader')
    .replace(/:uri\{[^}]*\}/, 'http://localhost/acme/x')
    .replace(/:[a-z]+(?:\{[^}]*\})?/gi, 'x');

async function send(method: string, path: string, caller: CallerName): Promise<Response> {
  const token = tokens[caller];
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return handler(new Request(`http://localhost${path}`, { method, headers }));
}

/** A feed has no end. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('Content-Type')?.startsWith('text/event-stream') !== true) return response.text();
  await response.body?.cancel();
  return '';
}

const forms = (path: string): readonly string[] => {
  if (path.startsWith('/acme/repositories')) return [path, `/repositories${path}`];
  return path.startsWith('/acme/')
    ? [path, path.replace('/acme/', '/acme/repositories/'), `/repositories${path}`]
    : [path];
};

test('each method of each route has a rule', () => {
  const rules: readonly (Access | undefined)[] = ['public', 'known', 'read', 'write', 'owner', 'operator'];
  const without = table.flatMap(({ path, handlers, methods }) =>
    METHODS.flatMap((method) =>
      handlers[method] === undefined || rules.includes(methods[method]?.access) ? [] : [`${method} ${path}`],
    ),
  );
  expect(without).toEqual([]);
});

describe.each(table.map((route) => [route.path, route] as const))('%s', (path, route) => {
  const isAboutRepository = path.includes(':repository');
  const privacies = isAboutRepository ? PRIVACIES : (['private'] as const);
  const methods = METHODS.filter((method) => route.handlers[method] !== undefined);

  test.each(methods)('%s', async (method) => {
    const wrong: string[] = [];
    for (const privacy of privacies) {
      for (const caller of CALLERS) {
        for (const form of forms(pathOf(route, privacy))) {
          // With its parameter `all` the list is for everybody.
          const access = path === '/repositories' ? 'known' : route.methods[method]!.access;
          const due = refusal(caller, privacy, access, isAboutRepository);
          const response = await send(method, form, caller);
          const text = await textOf(response);
          const { status } = response;
          const said = `${method} ${form} by ${caller}: ${String(status)}, due ${String(due ?? 'an answer')}: ${text.slice(0, 100)}`;
          // Of what gets through only those refusals are wrong that are about rights; a tag x may well be missing.
          const isRight =
            due === undefined ? status !== 401 && !/"FORBIDDEN"|REPOSITORY_NOT_FOUND/.test(text) : status === due;
          if (!isRight) wrong.push(said);
          if (due !== undefined && (status === 401) !== (response.headers.get('WWW-Authenticate') !== null))
            wrong.push(said);
          if (due === 404 && !/REPOSITORY_NOT_FOUND/.test(text)) wrong.push(said);
          await addRepositories();
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('other methods are 405, and say nothing of what there is', async () => {
    for (const method of METHODS.filter((each) => route.handlers[each] === undefined)) {
      for (const caller of ['anonymous', 'other', 'owner'] as const) {
        const statuses = await Promise.all(
          privacies.map(async (privacy) => (await send(method, pathOf(route, privacy), caller)).status),
        );
        expect(new Set(statuses)).toEqual(new Set([405]));
      }
    }
  });

  test('a wrong token is 401, also on what is public; OPTIONS needs none', async () => {
    const init = { headers: { Authorization: 'Bearer wrong' } };
    for (const method of methods) {
      const response = await handler(new Request(`http://localhost${pathOf(route, 'public')}`, { ...init, method }));
      expect([method, response.status, response.headers.get('WWW-Authenticate')]).toEqual([
        method,
        401,
        'Basic realm="Application"',
      ]);
    }
    expect(
      (await handler(new Request(`http://localhost${pathOf(route, 'private')}`, { method: 'OPTIONS' }))).status,
    ).toBe(200);
  });
});

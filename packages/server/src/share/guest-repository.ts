/** A repository of a guest: the calls of the library over the client. */
import {
  type ChangeOptions,
  type QueryOptions,
  RemoteRepository,
  repositoryBy,
  Requests,
  type RemoteTransaction,
  type RemoteView,
  type Rows,
} from '@quadrille/client';
import type { LoadOptions, LoadSource, PreparedQuery, Repository, RevisionView, Row } from 'quadrille';
import { PATIENCE_MS } from './guest-fetch.js';
import { comparedByGuest, COMPARES } from './guest-comparison.js';
import { contentOf, documentOf } from './guest-load.js';
import { changeOptions, inJavaScript, optionsBehind, queryOptions, textOf } from './guest-texts.js';
import { HolderCalls } from './guest-calls.js';
import { asLibrary, type Members } from './library-calls.js';
import { unavailable } from './lost.js';
import { AUTHOR } from './protocol.js';

type Text = Parameters<typeof textOf>[0];
type Given = readonly unknown[];
type Prefixes = Readonly<Record<string, string>>;

/** What the repositories of a guest have in common. */
export interface GuestPlace {
  /** Of the repository. */
  readonly requests: Requests;
  readonly name: string;
  /** Follows of this process, which end with the database. */
  readonly feeds: Set<AsyncIterableIterator<unknown>>;
  /** @throws StateError `STORE_NOT_OPEN` */
  readonly check: () => void;
}

/** A transaction runs at most so often. */
const MOST_RUNS = 10;
const VIEW_MISSES = ['quadsSync', 'hasSync'];

/** The calls of the library on a repository of the holder. */
export function guestRepository(place: GuestPlace): Repository {
  const { requests, name } = place;
  const remote = repositoryBy(requests);
  const branch = requests.place.branch ?? 'main';
  const calls = new HolderCalls(requests, { repository: name, branch });
  const more: Members = {
    ...texts(remote, place.check),
    ...changes(place, remote),
    ...follows(place, remote),
    name,
    branch,
    at: (ref: string) => guestView(remote.at(ref), place.check),
    branches: branchesOf(place, remote),
    namespaces: asLibrary(remote.namespaces, { effective: () => effective(place, remote) }),
    settings: asLibrary(remote.settings, {
      metadata: { get: calls.reading('settings.metadata.get'), set: calls.writing('settings.metadata.set') },
    }),
    sync: asLibrary(remote.sync, {}, ['remotes', 'pull', 'push']),
    proof: asLibrary(remote.proof, { verify: calls.reading('proof.verify') }, ['sign', 'signatures']),
    maintenance: asLibrary(remote.maintenance, {
      ...maintenanceOf(remote, requests),
      stats: calls.reading('maintenance.stats'),
      verify: calls.reading('maintenance.verify'),
      rebuild: calls.writing('maintenance.rebuild'),
    }),
    [COMPARES]: (text: Text, from: string, to: string, options: object) =>
      comparedByGuest(remote, textOf(text, []), [from, to], queryOptions(options)),
    [Symbol.asyncDispose]: async () => undefined,
  };
  return asLibrary(remote, more, VIEW_MISSES) as Repository;
}

const guestView = (remote: RemoteView, check: () => void): RevisionView =>
  asLibrary(remote, texts(remote, check), VIEW_MISSES) as RevisionView;

/** The calls with a text. */
function texts(remote: RemoteView, check: () => void): Members {
  const asked = <T>(call: (text: string, options: QueryOptions) => T) => {
    return (text: Text, ...given: Given): T => {
      check();
      return call(textOf(text, given), queryOptions(optionsBehind(text, given)));
    };
  };
  return {
    select(text: Text, ...given: Given) {
      check();
      const options = optionsBehind(text, given);
      const rows: Rows<Row> = remote.select(textOf(text, given), queryOptions(options));
      return 'values' in options && options.values === 'js' ? inJavaScript(rows) : rows;
    },
    construct: asked((text, options) => remote.construct(text, options)),
    describe: asked((text, options) => remote.describe(text, options)),
    ask: asked((text, options) => remote.ask(text, options)),
    query: asked((text, options) => remote.query(text, options)),
    explain: asked((text, options) => remote.explain(text, options)),
    async prepare(text: Text, ...given: Given) {
      const whole = textOf(text, given);
      return { ...(await remote.prepare(whole)), ...callsOf(remote, whole, check) };
    },
  };
}

/** The calls of a prepared request. */
function callsOf(remote: RemoteView, text: string, check: () => void): Partial<PreparedQuery> {
  const { select, construct, describe, ask, query } = texts(remote, check) as Record<
    string,
    (...given: Given) => unknown
  >;
  const bound = (call: ((...given: Given) => unknown) | undefined) => (options: unknown) => call!(text, options);
  return {
    select: bound(select),
    construct: bound(construct),
    describe: bound(describe),
    ask: bound(ask),
    query: bound(query),
    ...(remote instanceof RemoteRepository && { update: (options?: ChangeOptions) => remote.update(text, options) }),
  } as Partial<PreparedQuery>;
}

const authorOf = (options: object): string | undefined => (options as { author?: string }).author;

/** The same repository with an author for its changes. */
function by({ requests }: GuestPlace, remote: RemoteRepository, options: object): RemoteRepository {
  const author = authorOf(options);
  if (author === undefined) return remote;
  const headers = { ...requests.place.headers, [AUTHOR]: encodeURIComponent(author) };
  return repositoryBy(new Requests({ ...requests.place, headers }));
}

type Changing = Pick<RemoteRepository, 'add' | 'remove' | 'revert'>;

function changes(place: GuestPlace, remote: RemoteRepository): Members {
  const changed = (name: keyof Changing, known: readonly string[] = []) => {
    return async (what: never, options: object = {}): Promise<unknown> => {
      place.check();
      return by(place, remote, options)[name](what, await changeOptions(remote, options, known));
    };
  };
  return {
    add: changed('add', ['blankNodes']),
    remove: changed('remove'),
    async patch(source: LoadSource, options: object = {}) {
      place.check();
      const how = await changeOptions(remote, options, ['sourceName']);
      return by(place, remote, options).patch(await contentOf(source), how);
    },
    revert: changed('revert'),
    async update(text: Text, ...given: Given) {
      place.check();
      const options = optionsBehind(text, given);
      return by(place, remote, options).update(textOf(text, given), await changeOptions(remote, options));
    },
    async load(source: LoadSource, options: LoadOptions = {}) {
      place.check();
      const { commit, dropped, ...document } = await documentOf(source, options, () => effective(place, remote));
      const how = await changeOptions(remote, commit);
      const made = await by(place, remote, options).load(document.source, { ...document.how, ...how });
      return dropped === undefined ? made : { ...made, dropped };
    },
    async transaction(run: (transaction: object) => Promise<void> | void, options: object = {}) {
      place.check();
      const how = await changeOptions(remote, options);
      const on = by(place, remote, options);
      return again(() => on.transaction((transaction) => run(within(transaction, place.check)), how));
    },
  };
}

const within = (transaction: RemoteTransaction, check: () => void): object =>
  asLibrary(transaction, {
    ...texts(transaction as unknown as RemoteView, check),
    update: (text: Text, ...given: Given) =>
      transaction.update(textOf(text, given), queryOptions(optionsBehind(text, given))),
  });

/** What a transaction has staged is gone with its holder, and nothing of it is written: the function runs again on the next one. */
async function again<T>(run: () => Promise<T>): Promise<T> {
  let until: number | undefined;
  for (let runs = 1; ; runs++) {
    try {
      return await run();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'STORE_UNAVAILABLE' && code !== 'TRANSACTION_NOT_FOUND') throw error;
      until ??= performance.now() + PATIENCE_MS;
      if (code === 'STORE_UNAVAILABLE' && performance.now() > until) throw error;
      // Each time the next holder knew nothing of it.
      if (runs >= MOST_RUNS) throw unavailable('the transaction has outlived several holders of the store', error);
    }
  }
}

/** They go on over a take-over, and end when the database is closed. */
function follows({ feeds, check }: GuestPlace, remote: RemoteRepository): Members {
  const kept = (feed: AsyncIterableIterator<unknown>): AsyncIterableIterator<unknown> => {
    feeds.add(feed);
    return feed;
  };
  return {
    watch(options: Parameters<RemoteRepository['watch']>[0] = {}) {
      check();
      if (options.since !== undefined) return kept(remote.watch(options));
      // From the head at the time of the call, also if the first connection breaks before anything has come.
      const begun = remote.revision().then(({ id }) => remote.watch({ ...options, since: id }));
      begun.catch(() => undefined);
      return kept(begunLater(begun));
    },
    live(text: Text, options: object = {}) {
      check();
      return kept(remote.live(textOf(text, []), options));
    },
  };
}

/** An iterator that has to be waited for. Its end waits for no item. */
function begunLater(begun: Promise<AsyncIterableIterator<unknown>>): AsyncIterableIterator<unknown> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => (await begun).next(),
    return: async () => (await begun).return!(),
  };
}

function branchesOf(place: GuestPlace, remote: RemoteRepository): object {
  const { branches } = remote;
  const open = async (
    name: string,
    options: { readonly create?: boolean; readonly from?: string } = {},
  ): Promise<Repository> => {
    const { create = false, from } = options;
    if (create && (await branches.get(name)) === undefined) await branches.create(name, { from });
    const { branch } = await branches.open(name);
    return guestRepository({ ...place, requests: new Requests({ ...place.requests.place, branch }) });
  };
  const { rename, delete: remove } = wholeOf(place.requests).branches;
  return asLibrary(branches, {
    open,
    rename,
    delete: remove,
    merge(source: string, options: object = {}) {
      const { author: _, ...how } = options as { author?: string };
      return by(place, remote, options).branches.merge(source, how);
    },
    async reset(ref: string, options: object = {}) {
      return by(place, remote, options).branches.reset(ref, await changeOptions(remote, options));
    },
    cherryPick(ref: string, options: object = {}) {
      const { author: _, ...how } = options as { author?: string };
      return by(place, remote, options).branches.cherryPick(ref, how);
    },
  });
}

/** The prefixes of the account, and those of the repository over them. */
async function effective({ requests, name }: GuestPlace, remote: RemoteRepository): Promise<Prefixes> {
  const account = new Requests({ ...requests.place, url: accountUrl(requests, name), branch: undefined });
  return { ...(await account.json<Prefixes>({ path: '/namespaces' })), ...(await remote.namespaces.list()) };
}

const accountUrl = ({ place: { url } }: Requests, name: string): string =>
  `${url.slice(0, url.length - name.length)}${name.slice(0, name.indexOf('/'))}`;

/** The repository for what is of all branches: there is no branch to name. */
const wholeOf = (requests: Requests): RemoteRepository =>
  repositoryBy(new Requests({ ...requests.place, branch: undefined }));

function maintenanceOf(remote: RemoteRepository, requests: Requests): Members {
  return { compact: () => compact(remote, requests), erase: wholeOf(requests).maintenance.erase };
}

const LOOK_MS = 20;

/** As a job of the holder. */
async function compact(remote: RemoteRepository, requests: Requests): Promise<object> {
  const bytes = async (): Promise<number> =>
    (await requests.json<{ readonly byte_size: number }>({ path: '/meta' })).byte_size;
  const bytesBefore = await bytes();
  const started = await requests.send({ method: 'POST', path: '/jobs', json: { operation: 'compact' } });
  const server = new Requests({ ...requests.place, url: new URL(remote.url).origin, branch: undefined });
  const path = new URL(started.headers.get('Location')!).pathname;
  while ((await server.json<{ readonly working: boolean }>({ path })).working)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return { bytesBefore, bytesAfter: await bytes() };
}

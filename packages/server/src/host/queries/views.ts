/** Views: named queries of a repository. The rights on the repository apply. */
import { platform } from '#host-platform';
import { InvalidArgumentError, LimitError, NotFoundError } from '@quadrille/model';
import type { KeyedMutex } from '@quadrille/model';
import type { Database, PreparedRequest, Repository } from 'quadrille';
import { hostOf } from 'quadrille/host';
import type { Caller } from '../accounts/caller.js';
import type { QueryGate } from './query-gate.js';
import { Records } from '../records.js';
import { ownerOf, type Rights, writableMetadata } from '../repositories/rights.js';

/** A saved query. */
export interface View {
  /** Its name. */
  readonly name: string;
  /** The SPARQL query. */
  readonly query: string;
}

interface ViewRecord {
  readonly query: string;
  /** When the repository was created, ISO 8601. A view with another time belongs to an earlier repository of this name. */
  readonly of: string;
}

/** Largest size of the query as JSON. A record of the store has at most 64 KB. */
const MAX_QUERY_BYTES = 64_000;
const MAX_VIEWS = 1000;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,47}$/;

/** The saved queries of repositories. */
export class Views {
  readonly #records: Records<ViewRecord>;

  constructor(
    database: Database,
    private readonly rights: Rights,
    private readonly locks: KeyedMutex,
    private readonly gate: QueryGate,
  ) {
    this.#records = new Records(hostOf(database).records, 'view');
  }

  /** By name. @throws AccessError, NotFoundError as {@link Rights.open} */
  async list(caller: Caller, repositoryName: string): Promise<View[]> {
    const repository = await this.rights.open(caller, repositoryName, 'read');
    return this.#listOf(repositoryName, await createdAt(repository));
  }

  async #listOf(repositoryName: string, of: string): Promise<View[]> {
    const found = await this.#records.list(keyOf(repositoryName, ''));
    const skip = keyOf(repositoryName, '').length;
    return [...found]
      .filter(([, view]) => view.of === of)
      .map(([key, { query }]) => ({ name: key.slice(skip), query }));
  }

  /** `undefined` if there is none. @throws AccessError, NotFoundError as {@link Rights.open} */
  async get(caller: Caller, repositoryName: string, name: string): Promise<View | undefined> {
    const repository = await this.rights.open(caller, repositoryName, 'read');
    if (!NAME.test(name)) return undefined;
    const record = await this.#records.get(keyOf(repositoryName, name));
    return record !== undefined && record.of === (await createdAt(repository))
      ? { name, query: record.query }
      : undefined;
  }

  /**
   * Stores a query under a name. Resolves with true if the name is new. Waits for a turn to parse the query.
   * @throws AccessError, NotFoundError; ParseError `SPARQL_SYNTAX`; InvalidArgumentError for an update or for no name; LimitError;
   * EvaluationError `QUERY_QUEUE_FULL`
   */
  async set(
    caller: Caller,
    repositoryName: string,
    name: string,
    query: string,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const repository = await this.rights.open(caller, repositoryName, 'write');
    if (!NAME.test(name)) {
      throw new InvalidArgumentError('INVALID_NAME', 'a view is named by a-z, A-Z, 0-9, _, - and ., at most 48');
    }
    if (platform.byteLength(JSON.stringify(query)) > MAX_QUERY_BYTES) {
      throw new LimitError('INPUT_TOO_LARGE', `a view has at most ${String(MAX_QUERY_BYTES)} bytes`);
    }
    const kind = await this.#kindOf(caller, repository, query, signal);
    if (kind === 'update') throw new InvalidArgumentError('INVALID_OPTION', 'a view is a query, not an update');
    // The lock guards the number of views, and prevents writing a view of a deleted repository.
    return this.locks.run(repositoryName, async () => {
      const of = (await writableMetadata(repository)).created.toISOString();
      const others = await this.#listOf(repositoryName, of);
      const isNew = !others.some((other) => other.name === name);
      if (isNew && others.length >= MAX_VIEWS) {
        throw new LimitError('QUOTA_EXCEEDED', `a repository has at most ${String(MAX_VIEWS)} views`);
      }
      await this.#records.put(keyOf(repositoryName, name), { query, of });
      return isNew;
    });
  }

  async #kindOf(
    caller: Caller,
    repository: Repository,
    text: string,
    signal: AbortSignal | undefined,
  ): Promise<PreparedRequest['kind']> {
    const { name } = repository;
    const repositories = (other: string): Promise<Repository> => this.rights.openToRead(caller, other);
    const party = caller.account ?? ownerOf(name);
    const request = { party, kind: 'query', text, repository: name, signal, repositories } as const;
    const { kind } = await this.gate.run(request, ({ task }) => hostOf(repository).prepare(text, { task }));
    return kind;
  }

  /** False if there was none. @throws AccessError, NotFoundError */
  async remove(caller: Caller, repositoryName: string, name: string): Promise<boolean> {
    const repository = await this.rights.open(caller, repositoryName, 'write');
    if ((await this.get(caller, repositoryName, name)) === undefined) return false;
    await writableMetadata(repository);
    await this.#records.delete([keyOf(repositoryName, name)]);
    return true;
  }

  /** Deletes the views of a repository that was deleted. */
  async forget(repositoryName: string): Promise<void> {
    const found = await this.#records.list(keyOf(repositoryName, ''));
    await this.#records.delete([...found.keys()]);
  }
}

/** The error for a view that does not exist. */
export const noView = (name: string): NotFoundError =>
  new NotFoundError('VIEW_NOT_FOUND', `there is no view ${name.slice(0, 100)}`);

const keyOf = (repository: string, name: string): string => `${repository}/${name}`;
const createdAt = async (repository: Repository): Promise<string> =>
  (await repository.settings.metadata.get()).created.toISOString();

/** What a request over HTTP may do: with the rights of its token, in its turn, and no longer than its client may read. */
import { AccessError, ConflictError, InvalidRecordError, NotFoundError } from '@quadrille/model';
import type { QueryOptions, Repository } from 'quadrille';
import type { HostQueryOptions } from 'quadrille/host';
import type { Context } from '../../context.js';
import { isKnown, isProtected, protectedBranch, publicError, servedBranch, type Turn } from '../../host/index.js';
import { logFailure } from '../../message/log-failure.js';
import { partyOf } from '../../resources/turns.js';
import { noteQuery } from '../../resources/server/query-notes.js';
import { mayAccess, openOther, type Service } from '../../service.js';
import { clientRequestId } from '../../http/index.js';
import { withIndex } from '../memory/with-index.js';
import { type Access, type Door, MEMORY_BYTES, type Source, theOnly, type Work } from '../door.js';
import type { ToldError } from '../tool-result.js';

/** The memory of an account, and that of a server without accounts. */
const MEMORY = 'memory';
const OPEN_MEMORY = 'memory/graph';
/** Repositories that a refusal names. */
const MOST_NAMES = 50;

export class RequestDoor implements Door {
  #only: string | undefined;
  /** Why the client may not read any more what it asked for. */
  refusal: unknown;

  constructor(
    private readonly service: Service,
    private readonly context: Context,
  ) {}

  get author(): string | undefined {
    return this.context.principal;
  }

  async repository({ repository: name, branch }: Source, access: Access): Promise<Repository> {
    const repository = await this.#open(name ?? (await this.#onlyName()), access);
    return servedBranch(repository, branch);
  }

  /** @throws NotFoundError `REPOSITORY_NOT_FOUND` for what the caller may not read; AccessError for what it may only read */
  async #open(name: string, access: Access): Promise<Repository> {
    const { service, context } = this;
    const repository = await openOther(service, context, name);
    if (access === 'write') await service.authorize(context, 'write', name);
    return repository;
  }

  async memory(access: Access): Promise<Repository> {
    const name = this.#memoryName();
    try {
      return await this.#open(name, access);
    } catch (error) {
      if (access === 'read' || !(error instanceof NotFoundError) || error.code !== 'REPOSITORY_NOT_FOUND') throw error;
      const [account = '', repository = ''] = name.split('/');
      const { repositories } = this.service.hosted;
      await repositories.create(this.context.caller, account, { name: repository }).catch(isMade);
      return withIndex(await this.#open(name, access));
    }
  }

  #memoryName(): string {
    const { caller, principal } = this.context;
    if (principal !== undefined) return `${principal}/${MEMORY}`;
    if (isKnown(caller)) return OPEN_MEMORY;
    throw new AccessError('UNAUTHENTICATED', 'a memory is that of an account: send a token');
  }

  async checkCommit(repository: Repository, branch = repository.branch): Promise<void> {
    if (!(await isProtected(repository, branch))) return;
    try {
      await this.service.authorize(this.context, 'owner', repository.name);
    } catch (error) {
      throw error instanceof AccessError && error.code === 'FORBIDDEN' ? protectedBranch(repository, branch) : error;
    }
  }

  /** Files and processes of the server are for its log. */
  told(error: unknown): ToldError {
    logFailure(this.service.logger, error, { method: this.context.request.method, path: this.context.path });
    return publicError(error);
  }

  /** The repository that the caller can read, if there is no other. @throws ToolError */
  async #onlyName(): Promise<string> {
    return (this.#only ??= theOnly(await this.#readable()));
  }

  async #readable(): Promise<string[]> {
    const { service, context } = this;
    const names: string[] = [];
    for (const account of await service.database.accounts.list().toArray())
      for (const { name } of await this.#namesOf(account)) {
        if (await mayAccess(service, context, 'read', name)) names.push(name);
        if (names.length >= MOST_NAMES) return names;
      }
    return names;
  }

  async #namesOf(account: string): Promise<readonly { readonly name: string }[]> {
    try {
      return await this.service.hosted.repositories.list(this.context.caller, account);
    } catch (error) {
      if (error instanceof NotFoundError && error.code === 'ACCOUNT_NOT_FOUND') return [];
      throw error;
    }
  }

  /** Rights are checked before the turn: who may not do it takes no place. */
  async run<T>(
    work: Work,
    signal: AbortSignal,
    run: (limits: QueryOptions, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { service, context } = this;
    const { gate } = service.hosted;
    const { name } = await (work.ofMemory ? this.memory(work.access) : this.repository(work, work.access));
    const request = {
      kind: work.access === 'read' ? ('query' as const) : ('update' as const),
      text: work.text,
      party: partyOf(context),
      repository: name,
      signal,
      timeoutMs: Math.min(work.timeoutMs, gate.limits.longestTimeoutMs),
      repositories: (other: string) => openOther(service, context, other),
      onBegun: (task: Turn['task']) =>
        noteQuery(task, {
          account: context.caller.account,
          clientRequestId: clientRequestId(context.header('Client-Request-Id')),
        }),
    };
    return gate.run(request, ({ task, call }) =>
      this.#whileAllowed(work, task, () => run(limitsOf(work, call), task.control.signal)),
    );
  }

  /** Ends what reads when the caller may not read any more. A change that has begun is not ended: it could end itself by what it changes. */
  async #whileAllowed<T>({ access }: Work, { control }: Turn['task'], run: () => Promise<T>): Promise<T> {
    const { service, context } = this;
    if (access === 'write' || service.watch === undefined) return run();
    const leave = service.watch.enter(context, (error) => control.fail((this.refusal = error)));
    try {
      return await run();
    } finally {
      leave();
    }
  }
}

/** Another session of the account may have been first. */
function isMade(error: unknown): void {
  if (!(error instanceof InvalidRecordError && error.cause instanceof ConflictError)) throw error;
}

/** A query of a model has less memory than others. */
function limitsOf({ access }: Work, { task, memoryBytes }: Turn['call']): HostQueryOptions {
  if (access === 'write') return { task, ...(memoryBytes !== undefined && { memoryBytes }) };
  return { task, memoryBytes: Math.min(memoryBytes ?? MEMORY_BYTES, MEMORY_BYTES) };
}

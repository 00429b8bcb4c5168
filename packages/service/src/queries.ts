/** The queries and updates that run for callers, so that these can list and cancel them. */
import { AccessError, EvaluationError, NotFoundError } from '@quadrille/model';
import { v4 as uuidV4 } from 'uuid';
import { type Caller, isKnown } from './caller.js';
import { unauthenticated } from './rights.js';

export interface RunningQuery {
  readonly id: string;
  /** `undefined`: nobody in particular. */
  readonly account: string | undefined;
  /** `account/repository`. */
  readonly repository: string;
  readonly kind: 'query' | 'update';
  readonly text: string;
  readonly started: Date;
}

export interface TrackedQuery {
  readonly id: string;
  /** Aborted when the query is cancelled, or the client's own signal is. To be given to the evaluation. */
  readonly signal: AbortSignal;
  /** It has ended: its results were read, left, or failed. May be called again. */
  readonly end: () => void;
}

export class Queries {
  readonly #running = new Map<string, RunningQuery & { readonly cancel: () => void }>();

  constructor(private readonly now: () => number) {}

  /** Lists a query until its `end` is called. */
  track(caller: Caller, query: Pick<RunningQuery, 'repository' | 'kind' | 'text'>, signal?: AbortSignal): TrackedQuery {
    const id = uuidV4();
    const controller = new AbortController();
    const cancel = (): void => controller.abort(new EvaluationError('ABORTED', 'the query was cancelled'));
    const follow = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) follow();
    signal?.addEventListener('abort', follow);
    this.#running.set(id, { ...query, id, account: caller.account, started: new Date(this.now()), cancel });
    const end = (): void => {
      signal?.removeEventListener('abort', follow);
      this.#running.delete(id);
    };
    return { id, signal: controller.signal, end };
  }

  /** Those of the caller's account, to an administrator all; the oldest first. @throws AccessError `UNAUTHENTICATED` */
  list(caller: Caller): RunningQuery[] {
    if (!isKnown(caller)) throw unauthenticated();
    const own = [...this.#running.values()].filter((query) => isOwn(caller, query));
    return own.map(({ id, account, repository, kind, text, started }) => {
      return { id, account, repository, kind, text, started };
    });
  }

  /** @throws AccessError; NotFoundError `QUERY_NOT_FOUND` */
  cancel(caller: Caller, id: string): void {
    if (!isKnown(caller)) throw unauthenticated();
    const query = this.#running.get(id.toLowerCase());
    if (query === undefined || !isOwn(caller, query)) {
      throw new NotFoundError('QUERY_NOT_FOUND', `no query ${id.slice(0, 100)} is running`);
    }
    if (caller.readOnly) throw new AccessError('FORBIDDEN', 'this token may only read');
    query.cancel();
  }

  cancelAll(): void {
    for (const { cancel } of this.#running.values()) cancel();
  }
}

const isOwn = (caller: Caller, { account }: RunningQuery): boolean =>
  caller.admin || (caller.account !== undefined && caller.account === account);

/** A request with the data that its route needs. */
import { AccessError } from '@quadrille/model';
import type { ByteBudget, Caller } from '@quadrille/service';
import type { RecordChange, Ref, Repository, Revision } from 'quadrille';
import type { HttpRequest } from './http/request.js';

const RETRY_AFTER_SECONDS = 10;

/** A revision that an answer is read from. */
export interface RevisionRead {
  readonly repository: Repository;
  readonly revision: Revision;
  /** The ref in the request; `undefined` for the current revision. */
  readonly ref: Ref | undefined;
}

/** A request that is to be done once. */
export interface DoneOnce {
  /** To be called by every handler that commits. The result belongs to the options of the commit. */
  commits(): { readonly records: (revision: Revision) => readonly RecordChange[] };
}

/** One request with the data that its route needs. A function that authorizes requests gets it. */
export class Context {
  /** The author of the commits of this request. `authorize` may set it. */
  principal: string | undefined;
  /** Set when the answer is read from a revision. */
  revisionRead: RevisionRead | undefined;
  /** Set if the request has a key with which it is done once. */
  keyed: DoneOnce | undefined;
  /** The repository of the path, after the check of rights has opened it: on `main`. */
  repository: Repository | undefined;
  /** The branch that the request names; `undefined`: the default branch. */
  branch: string | undefined;
  /** The repository on that branch, once it is opened. */
  served: Repository | undefined;
  /** `account/repository` of the path, after it was checked. */
  repositoryName: string | undefined;

  /** The names of the other repositories that a text of the request reads. */
  get others(): Set<string> {
    return (this.#others ??= new Set());
  }

  #others: Set<string> | undefined;
  #held: { readonly budget: ByteBudget; bytes: number } | undefined;

  constructor(
    /** The request itself. */
    readonly request: HttpRequest,
    /** In its canonical form, percent-encoded. */
    readonly path: string,
    /** The parameters of the address. They are shared and must not be changed. */
    readonly parameters: URLSearchParams,
    /** The segments of the path that the route names, percent-encoded. */
    private readonly segments: Readonly<Record<string, string>>,
    /** The sender of the request. */
    readonly caller: Caller,
    /** Whether writes without `If-Match` are refused. */
    readonly requireIfMatch: boolean,
    /** The IP address of the client; empty where the adapter does not know it. */
    readonly address: string,
  ) {
    this.principal = caller.account;
  }

  /**
   * Counts bytes of documents that the request holds in memory.
   * @throws AccessError `RATE_LIMITED` where all requests together hold too much
   */
  hold(budget: ByteBudget, bytes: number): void {
    this.#held ??= { budget, bytes: 0 };
    this.#held.bytes += bytes;
    budget.hold(bytes);
    if (!budget.exceeded) return;
    throw new AccessError('RATE_LIMITED', 'other requests use all memory for documents', {
      details: { retryAfter: RETRY_AFTER_SECONDS },
    });
  }

  /** To be called when the request was answered or has failed. */
  release(): void {
    this.#held?.budget.release(this.#held.bytes);
    this.#held = undefined;
  }

  /** The value of a header; `undefined` if the request does not have it. */
  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined;
  }

  /** A segment of the path, percent-decoded if possible. */
  param(name: string): string | undefined {
    const text = this.segments[name];
    if (text === undefined || !text.includes('%')) return text;
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }
}

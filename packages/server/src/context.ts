/** A request with the data that its route needs. */
import { AccessError } from '@quadrille/model';
import type { ByteBudget, Caller } from './host/index.js';
import type { Ref, Repository, Revision } from 'quadrille';
import type { RecordChange } from 'quadrille/host';
import type { HttpRequest } from './message/request.js';

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

/**
 * The right that a method needs: none; any valid credentials; to read or to write the repository of the path; to own its
 * account; to operate the server.
 */
export type Access = 'public' | 'known' | 'read' | 'write' | 'owner' | 'operator';

/** What the route takes for the method of a request. */
export interface Takes {
  /** The names of parameters. */
  readonly names: ReadonlySet<string>;
  /** How the body is read: see `Taken`. */
  readonly body: 'form' | 'typed' | 'raw';
  /** Whether it changes what all branches have in common. */
  readonly allBranches?: boolean | undefined;
  /** The members of its JSON object; `undefined` where it takes none, or any. */
  readonly members?: readonly string[] | undefined;
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

  /** The right that the route needs. */
  needed: Access = 'read';

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
    /** The parameters of the address, and later those of a form, too. They are shared and must not be changed. */
    public parameters: URLSearchParams,
    /** What may come with the request. */
    public takes: Takes | undefined,
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

  /** A segment of the path, percent-decoded. */
  param(name: string): string | undefined {
    const text = this.segments[name];
    return text?.includes('%') === true ? decodeURIComponent(text) : text;
  }
}

/** What a route knows of one request. */
import { AccessError } from '@quadrille/model';
import type { ByteBudget, Caller } from '@quadrille/service';
import type { Ref, Repository, Revision } from 'quadrille';
import type { HttpRequest } from './http/request.js';

const RETRY_AFTER_SECONDS = 10;

/** How a revision came to be read. */
export interface RevisionRead {
  readonly repository: Repository;
  readonly revision: Revision;
  /** What the request named; `undefined` where it meant the present. */
  readonly ref: Ref | undefined;
}

export class Context {
  /** The account that becomes the author of what the request commits; `authorize` may set it. */
  principal: string | undefined;
  /** The revision that the answer is read from, once that is known. */
  revisionRead: RevisionRead | undefined;
  /** The repository of the path, once it was opened to see whether the client may use it. */
  repository: Repository | undefined;
  /** `account/repository`, once the path was found to name one. */
  repositoryName: string | undefined;

  #held: { readonly budget: ByteBudget; bytes: number } | undefined;

  constructor(
    readonly request: HttpRequest,
    /** In its canonical form, percent-encoded. */
    readonly path: string,
    /** The parameters of the address. Not to be changed. */
    readonly parameters: URLSearchParams,
    /** The segments of the path that the route names, percent-encoded. */
    private readonly segments: Readonly<Record<string, string>>,
    /** Who sends the request. */
    readonly caller: Caller,
    /** Whether a write has to name the revision that it changes. */
    readonly requireIfMatch: boolean,
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
    throw new AccessError('RATE_LIMITED', 'the documents of other requests take the memory there is for them', {
      details: { retryAfter: RETRY_AFTER_SECONDS },
    });
  }

  /** The request has been answered, or has failed. */
  release(): void {
    this.#held?.budget.release(this.#held.bytes);
    this.#held = undefined;
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined;
  }

  /** A segment of the path, decoded where it can be. */
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

/** What a route knows of one request. */
import type { Caller } from '@quadrille/service';
import type { Ref, Repository, Revision } from 'quadrille';
import type { HttpRequest } from './http/request.js';

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

/** The caller of a request: the subject of all checks of rights. */

/**
 * `read` and `write`: content. `own`: metadata, rights and deletion of repositories, and the tokens of the account. `replicate`: pushes of
 * revisions with foreign ids, times and authors. `operate`: the server as a whole. Each of the first three includes those before it.
 */
export type Right = 'read' | 'write' | 'own' | 'replicate' | 'operate';

/** The sender of a request, and the rights of its token. */
export interface Caller {
  /** `undefined` for an anonymous caller and for the operator. */
  readonly account: string | undefined;
  /** Whether the token may only read. */
  readonly readOnly: boolean;
  /** Whether the caller has all rights on all repositories. With `readOnly`: all rights to read. */
  readonly admin: boolean;
  /** The rights of the token. Without them the caller has all that `readOnly` and `admin` leave. */
  readonly rights?: readonly Right[];
  /** The id of the token. */
  readonly tokenId?: string;
}

/** A caller without credentials. It may read public repositories. */
export const ANONYMOUS: Caller = { account: undefined, readOnly: true, admin: false };

/** The operator, and every caller of a server that is open. */
export const OPERATOR: Caller = { account: undefined, readOnly: false, admin: true };

/** Whether the caller sent valid credentials, or is the operator. */
export const isKnown = (caller: Caller): boolean => caller.account !== undefined || caller.admin;

/** Who asks: what the rights are decided for. */

export interface Caller {
  /** `undefined`: nobody in particular. */
  readonly account: string | undefined;
  /** A token that may only read. */
  readonly readOnly: boolean;
  /** May do everything with everything (a read-only token: read it). */
  readonly admin: boolean;
  /** Which of the account's tokens it was. */
  readonly tokenId?: string;
}

/** Without credentials: reads what is public. */
export const ANONYMOUS: Caller = { account: undefined, readOnly: true, admin: false };

/** The operator, and everybody on a server that asks for no credentials. */
export const OPERATOR: Caller = { account: undefined, readOnly: false, admin: true };

/** True for whoever showed credentials, or needs none. */
export const isKnown = (caller: Caller): boolean => caller.account !== undefined || caller.admin;

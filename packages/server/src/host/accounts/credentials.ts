/** The forms in which clients send a token. */
import { parseToken, type TokenText } from './token-text.js';

/** The credentials of a request. */
export type Credentials =
  | {
      /** User name and password. One of them is a token. */
      readonly scheme: 'basic';
      /** The user name. */
      readonly user: string;
      /** The password. */
      readonly password: string;
    }
  | {
      /** A token alone. */
      readonly scheme: 'bearer';
      /** The token. */
      readonly token: string;
    }
  | {
      /** In an unknown form. It is refused like a wrong token. */
      readonly scheme: 'unreadable';
    };

/** The account and the token that credentials name. */
export interface Claim {
  /** An account that is sent together with a token has to be the account of that token. */
  readonly account: string | undefined;
  readonly token: TokenText | undefined;
}

/**
 * Takes `TOKEN:`, `:TOKEN`, `TOKEN:anything` and `account:TOKEN`. Some clients send no credentials if one half is empty, so a
 * token as the user is accepted with any password.
 */
export function claimOf(credentials: Credentials): Claim {
  if (credentials.scheme === 'unreadable') return { account: undefined, token: undefined };
  if (credentials.scheme === 'bearer') return { account: undefined, token: parseToken(credentials.token) };
  const { user, password } = credentials;
  const asUser = parseToken(user);
  if (asUser !== undefined) return { account: undefined, token: asUser };
  return { account: user === '' ? undefined : user, token: parseToken(password) };
}

/** The forms in which clients show a token (interface, section 9). */
import { parseToken, type TokenText } from './token-text.js';

export type Credentials =
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'bearer'; readonly token: string }
  /** In no form that is known: refused like a wrong token. */
  | { readonly scheme: 'unreadable' };

/** What credentials claim. */
export interface Claim {
  /** Named beside the token; then it has to be the token's own. */
  readonly account: string | undefined;
  readonly token: TokenText | undefined;
}

/**
 * `TOKEN:`, `:TOKEN`, `TOKEN:anything` and `account:TOKEN`. Some clients send nothing at all when either half is empty,
 * so that a token as user goes with any password.
 */
export function claimOf(credentials: Credentials): Claim {
  if (credentials.scheme === 'unreadable') return { account: undefined, token: undefined };
  if (credentials.scheme === 'bearer') return { account: undefined, token: parseToken(credentials.token) };
  const { user, password } = credentials;
  const asUser = parseToken(user);
  if (asUser !== undefined) return { account: undefined, token: asUser };
  return { account: user === '' ? undefined : user, token: parseToken(password) };
}

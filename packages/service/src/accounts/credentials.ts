/** The forms in which clients show a token (interface, section 9), read from the value of an `Authorization` field. */
import { parseToken, type TokenText } from './token-text.js';

export type Credentials =
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'bearer'; readonly token: string };

/** What credentials claim. */
export interface Claim {
  /** Named beside the token; then it has to be the token's own. */
  readonly account: string | undefined;
  readonly token: TokenText | undefined;
}

/** `undefined` where the text is in no form that is known; it must then be refused like a wrong token. */
export function readAuthorization(text: string): Credentials | undefined {
  const match = /^\s*(basic|bearer|gdb)[ \t]+(\S+)\s*$/i.exec(text);
  if (match === null) return undefined;
  const [, scheme = '', value = ''] = match;
  // Clients of GraphDB show what they got at its login under a name of their own.
  if (scheme.toLowerCase() !== 'basic') return { scheme: 'bearer', token: value };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon === -1) return undefined;
  return { scheme: 'basic', user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

/**
 * `TOKEN:`, `:TOKEN`, `TOKEN:anything` and `account:TOKEN`. Some clients send nothing at all when either half is empty,
 * so that a token as user goes with any password.
 */
export function claimOf(credentials: Credentials): Claim {
  if (credentials.scheme === 'bearer') return { account: undefined, token: parseToken(credentials.token) };
  const { user, password } = credentials;
  const asUser = parseToken(user);
  if (asUser !== undefined) return { account: undefined, token: asUser };
  return { account: user === '' ? undefined : user, token: parseToken(password) };
}

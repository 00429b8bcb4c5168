/**
 * The text of a token: `qdt_<id>_<secret>`. The id (64 random bits) is public and finds the record; the secret (256 random
 * bits) is never stored, only its SHA-256. A fast hash is right for it: there is nothing to guess in 256 random bits.
 */
import { platform } from '#host-platform';

export interface TokenText {
  readonly id: string;
  readonly secret: string;
}

const TOKEN = /^qdt_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

export function newToken(): TokenText & { readonly text: string } {
  const id = platform.toHex(platform.randomBytes(8));
  const secret = platform.toBase64Url(platform.randomBytes(32));
  return { id, secret, text: `qdt_${id}_${secret}` };
}

/** `undefined` for a text that is no token. */
export function parseToken(text: string): TokenText | undefined {
  const match = TOKEN.exec(text);
  return match === null ? undefined : { id: match[1]!, secret: match[2]! };
}

/** The SHA-256 of a secret. Only this is stored. */
export const digestOf = (secret: string): Uint8Array => platform.sha256(secret);

/** Compares a secret with a stored digest in constant time. */
export const matches = (secret: string, digest: Uint8Array): boolean => platform.equalDigests(digestOf(secret), digest);

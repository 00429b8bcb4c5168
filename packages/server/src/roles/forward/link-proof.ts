/**
 * How a server shows another one that it is of the same store, to open a link. Both read a secret in the store. No answer shows it, and it is not sent: a code that
 * the secret makes of the ids of both servers is.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HostedDatabase } from 'quadrille/host';

const KEY = 'link/secret';
const SECRET_BYTES = 32;

/** The secret of a store; `undefined` where no server has made it yet. With `mayMake` it is made then. */
export async function linkSecret(
  { records }: Pick<HostedDatabase, 'records'>,
  mayMake: boolean,
): Promise<string | undefined> {
  const known = (await records.get(KEY)) as { readonly secret: string } | undefined;
  if (known !== undefined || !mayMake) return known?.secret;
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  await records.write([{ key: KEY, value: { secret } }]);
  return secret;
}

/** What the server `from` shows to the server `to`. */
export const linkProof = (secret: string, from: string, to: string): string => `${from} ${codeOf(secret, from, to)}`;

/** The id of the server that shows a proof to the server `to`; `undefined` where it proves nothing. */
export function provenServer(secret: string, proof: string, to: string): string | undefined {
  const [from = '', code = ''] = proof.split(' ');
  return isSame(code, codeOf(secret, from, to)) ? from : undefined;
}

const codeOf = (secret: string, from: string, to: string): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['link', from, to]))
    .digest('base64url');

/** Digests of equal length are compared, so that the time tells nothing. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

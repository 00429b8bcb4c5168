/** What a request says of who sends it. */
import { forwardedAddress } from '@quadrille/service';
import { headerOf, type RpcHeaders } from './transport.js';

export interface IdentifyOptions {
  /** Whether a token may also come as the parameter `auth_token` of the path, for older clients. */
  readonly queryToken: boolean;
  /** Whether a proxy in front tells the address of the client by `X-Forwarded-For`. */
  readonly trustProxy: boolean;
}

interface Sender {
  readonly path: string;
  readonly headers: RpcHeaders;
  readonly address?: string | undefined;
}

/** The credentials as an `Authorization` field has them, and the address. */
export function identify(
  { path, headers, address = '' }: Sender,
  { queryToken, trustProxy }: IdentifyOptions,
): { authorization: string | undefined; address: string } {
  const sent = headerOf(headers, 'authorization');
  const token = queryToken && sent === undefined ? parameterToken(path) : undefined;
  return {
    authorization: token === undefined ? sent : `Bearer ${token}`,
    address: (trustProxy ? forwardedAddress(headerOf(headers, 'x-forwarded-for')) : undefined) ?? address,
  };
}

function parameterToken(path: string): string | undefined {
  const query = path.indexOf('?');
  return query === -1 ? undefined : (new URLSearchParams(path.slice(query)).get('auth_token') ?? undefined);
}

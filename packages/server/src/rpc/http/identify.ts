/** The credentials and the address of the sender of a request. */
import { clientAddress, readAuthorization, type SenderOptions } from '../../http/index.js';
import type { Credentials } from '../../host/index.js';
import { headerOf, type RpcHeaders } from './transport.js';

interface Sender {
  readonly path: string;
  readonly headers: RpcHeaders;
  readonly address?: string | undefined;
}

export function identify(
  { path, headers, address }: Sender,
  options: SenderOptions,
): { credentials: Credentials | undefined; address: string } {
  const header = readAuthorization(headerOf(headers, 'authorization'));
  return {
    credentials: header ?? (options.queryToken ? parameterToken(path) : undefined),
    address: clientAddress(headerOf(headers, 'x-forwarded-for'), address, options),
  };
}

function parameterToken(path: string): Credentials | undefined {
  const query = path.indexOf('?');
  const token = query === -1 ? null : new URLSearchParams(path.slice(query)).get('auth_token');
  return token === null ? undefined : { scheme: 'bearer', token };
}

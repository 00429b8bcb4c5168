/** The `Authorization` field (RFC 9110, section 11.6.2), with the schemes in which clients send tokens. */
import { type Credentials, platform } from '../host/index.js';

/**
 * `undefined` without the field: the request is anonymous. An unknown scheme or a malformed value becomes `unreadable`.
 */
export function readAuthorization(field: string | null | undefined): Credentials | undefined {
  if (field === null || field === undefined) return undefined;
  const match = /^\s*(basic|bearer|gdb)[ \t]+(\S+)\s*$/i.exec(field);
  if (match === null) return UNREADABLE;
  const [, scheme = '', value = ''] = match;
  // Clients of GraphDB send the token of its login under the scheme `GDB`.
  return scheme.toLowerCase() === 'basic' ? readBasic(value) : { scheme: 'bearer', token: value };
}

const UNREADABLE: Credentials = { scheme: 'unreadable' };

function readBasic(value: string): Credentials {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return UNREADABLE;
  const pair = new TextDecoder('utf-8', { ignoreBOM: true }).decode(platform.fromBase64(value));
  const colon = pair.indexOf(':');
  if (colon === -1) return UNREADABLE;
  return { scheme: 'basic', user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

/** The `Authorization` field (RFC 9110, section 11.6.2) in the forms in which clients show a token (interface, section 9). */
import type { Credentials } from '@quadrille/service';

/**
 * `undefined` where there is no field: the request is anonymous. What has no form that is known is refused like a wrong
 * token.
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
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon === -1) return UNREADABLE;
  return { scheme: 'basic', user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

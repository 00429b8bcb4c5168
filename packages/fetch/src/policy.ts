/** The rules for a URL, before anything is asked of anybody. */
import { isIP } from 'node:net';
import { FetchError } from '@quadrille/model';
import { isPublicAddress } from './address.js';
import { allows, hostOf, parseUrl, portOf } from './allow.js';
import type { FetchSettings } from './options.js';
import { hasPort } from './options.js';

/** A URL that may be fetched, as far as its text tells. */
export interface Target {
  readonly url: URL;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether its addresses may be private. */
  readonly trusted: boolean;
}

/** @throws FetchError `URL_NOT_ALLOWED`, `BLOCKED_ADDRESS` */
export function checkUrl(text: string, settings: FetchSettings): Target {
  const { mode, allow, ports } = settings;
  if (mode === 'off') throw new FetchError('URL_NOT_ALLOWED', 'fetching from other hosts is switched off');
  const url = parseUrl(text);
  if (url === undefined) throw new FetchError('URL_NOT_ALLOWED', `not an absolute URL: ${shortened(text)}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError('URL_NOT_ALLOWED', `only http and https can be fetched, not ${shortened(url.protocol)}`);
  }
  const host = hostOf(url);
  if (host === '') throw new FetchError('URL_NOT_ALLOWED', `a URL without a host: ${shortened(text)}`);
  const port = portOf(url);
  const refuse = (why: string): FetchError => new FetchError('URL_NOT_ALLOWED', why, { details: { host } });
  if (url.username !== '' || url.password !== '') {
    throw refuse(`the URL of host ${host} has a user name or password in it, which is refused`);
  }
  const rules = allow.filter((rule) => allows(rule, url));
  if (mode === 'listed' && rules.length === 0)
    throw refuse(`the URL of host ${host} is not on the list of allowed ones`);
  if (mode !== 'all' && !hasPort(ports, port) && !rules.some((rule) => rule.port !== undefined)) {
    throw refuse(`port ${port} of host ${host} may not be fetched from`);
  }
  const trusted = mode === 'all' || rules.length > 0;
  if (!trusted && (isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host)))) throw addressBlocked(host);
  return { url, host, port, trusted };
}

/**
 * The addresses of a target's host, each of them checked; the name is resolved once, and only these may be connected to.
 * @throws FetchError `BLOCKED_ADDRESS`, `FETCH_FAILED`
 */
export async function checkedAddresses(target: Target, settings: FetchSettings): Promise<readonly string[]> {
  const { host, trusted } = target;
  if (isIP(host) !== 0) return [host];
  let addresses: readonly string[];
  try {
    addresses = await settings.resolve(host);
  } catch (cause) {
    throw new FetchError('FETCH_FAILED', `the host ${host} was not found`, { cause, details: { host } });
  }
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0)) {
    throw new FetchError('FETCH_FAILED', `the host ${host} has no address`, { details: { host } });
  }
  if (!trusted && !addresses.every(isPublicAddress)) throw addressBlocked(host);
  return addresses;
}

/** It does not tell the address, which may be known inside a network only. */
export function addressBlocked(host: string): FetchError {
  return new FetchError('BLOCKED_ADDRESS', `the host ${host} is not on the public internet`, { details: { host } });
}

// These names mean this machine, whatever a resolver says (RFC 6761).
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

const shortened = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);

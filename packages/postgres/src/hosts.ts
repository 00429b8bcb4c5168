/** The addresses in a URL of PostgreSQL, which may name several hosts: `postgres://u@one:5432,two:5433/db`. */

import { InvalidArgumentError } from '@quadrille/model';
import type { ClientConfig } from 'pg';

const URL_FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([/?#].*)?$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

const CHECKED_MODES: ReadonlySet<string> = new Set(['prefer', 'require', 'verify-ca']);

/** One address as the client takes it. */
export interface Address {
  /** Host and port without user and password, for messages. */
  readonly name: string;
  readonly config: ClientConfig;
}

/**
 * The addresses of a URL in their order. Connections to other machines are encrypted and checked, unless the URL says
 * otherwise with `sslmode`. @throws InvalidArgumentError `INVALID_OPTION`
 */
export function addressesOf(url: string): readonly Address[] {
  const match = URL_FORM.exec(url);
  if (match === null) throw invalid();
  const [, head = '', hosts = '', tail = ''] = match;
  return hosts.split(',').map((host) => {
    let parsed: URL;
    try {
      parsed = new URL(`${head}${host}${tail}`);
    } catch {
      throw invalid();
    }
    const { hostname } = parsed;
    const query = parsed.searchParams;
    if (hostname !== '' && !LOOPBACK.test(hostname) && !query.has('sslmode') && !query.has('host')) {
      query.set('sslmode', 'verify-full');
    }
    // The client checks certificates in these modes too, and would warn that it may not do so one day.
    if (CHECKED_MODES.has(query.get('sslmode') ?? '') && !query.has('uselibpqcompat'))
      query.set('sslmode', 'verify-full');
    return { name: parsed.host === '' ? 'the local socket' : parsed.host, config: { connectionString: parsed.href } };
  });
}

function invalid(): InvalidArgumentError {
  return new InvalidArgumentError(
    'INVALID_OPTION',
    'The URL of the store is not one of PostgreSQL. Write postgres://user@host:5432/database, without the password if PGPASSWORD has it.',
  );
}

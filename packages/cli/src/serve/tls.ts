/** The certificate of the server, which is read again on SIGHUP. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { Served, TlsIdentity } from '@quadrille/server';
import type { Logger } from 'quadrille';
import type { ServeSettings } from './settings.js';

/** @throws NotFoundError `INPUT_NOT_FOUND`; InvalidArgumentError `INVALID_OPTION` for files that are no certificate with its key */
export async function tlsIdentity({ tlsCert, tlsKey }: ServeSettings): Promise<TlsIdentity | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new InvalidArgumentError('INVALID_OPTION', 'give both --tls-cert and --tls-key, or neither');
  const { createSecureContext } = await import('node:tls');
  const identity = { cert: await textOf('--tls-cert', tlsCert), key: await textOf('--tls-key', tlsKey) };
  try {
    createSecureContext(identity);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `--tls-cert and --tls-key are no certificate with its key: ${why}`;
    throw new InvalidArgumentError('INVALID_OPTION', message, { cause });
  }
  return identity;
}

async function textOf(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new NotFoundError('INPUT_NOT_FOUND', `the file of ${option} cannot be read: ${path}`, { cause });
  }
}

/** Renewals of the certificate of a server. */
export interface Renewal {
  /** The server that listens. It gets the certificate that came before, too. */
  of(server: Pick<Served, 'renew'>): void;
  stop(): void;
}

/** Renews the certificate on SIGHUP, until `stop`. One that cannot be used changes nothing. */
export function renewOnHangup(settings: ServeSettings, logger: Logger): Renewal {
  if (settings.tlsCert === undefined) return { of: () => undefined, stop: () => undefined };
  let server: Pick<Served, 'renew'> | undefined;
  let latest: TlsIdentity | undefined;
  const renew = async (): Promise<void> => {
    try {
      latest = await tlsIdentity(settings);
      if (latest !== undefined) server?.renew(latest);
      logger.info('the certificate was renewed');
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      logger.error('the certificate was not replaced; the server keeps the previous one', { detail });
    }
  };
  const onHangup = (): void => void renew();
  process.on('SIGHUP', onHangup);
  return {
    of(listening) {
      server = listening;
      if (latest !== undefined) server.renew(latest);
    },
    stop: () => void process.off('SIGHUP', onHangup),
  };
}

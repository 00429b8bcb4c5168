/** Connections to addresses that were checked, and to no others. */
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls, rootCertificates } from 'node:tls';
import { isSameAddress } from './address.js';
import type { FetchSettings } from './options.js';
import { addressBlocked, checkedAddresses, type Target } from './policy.js';

/** How long an address is tried before the next one, where there is a next one. */
const ATTEMPT_MS = 2500;

/** A connection to the first address of the target that answers, with TLS where the URL asks for it. */
export async function connectTo(target: Target, settings: FetchSettings, signal: AbortSignal): Promise<Socket> {
  const addresses = await checkedAddresses(target, settings);
  let failure: unknown;
  for (const [i, address] of addresses.entries()) {
    signal.throwIfAborted();
    try {
      const socket = await open(address, target, i < addresses.length - 1 ? ATTEMPT_MS : 0, signal);
      return target.url.protocol === 'https:' ? await secured(socket, target, settings) : socket;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

// The address is given as such, so that nothing is resolved a second time. The signal destroys the socket at any later time.
function open(address: string, target: Target, attemptMs: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: target.port, signal });
    const timer = attemptMs === 0 ? undefined : setTimeout(() => socket.destroy(timedOut()), attemptMs);
    socket.once('close', () => clearTimeout(timer));
    // It stays: an error after this step comes to the reader of the answer as well.
    socket.on('error', reject);
    socket.once('connect', () => {
      clearTimeout(timer);
      if (isSameAddress(socket.remoteAddress ?? '', address)) return resolve(socket);
      socket.destroy();
      reject(addressBlocked(target.host));
    });
  });
}

const timedOut = (): Error => Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' });

function secured(socket: Socket, target: Target, settings: FetchSettings): Promise<Socket> {
  const { host } = target;
  const authorities = settings.ca.length === 0 ? {} : { ca: [...rootCertificates, ...settings.ca] };
  return new Promise((resolve, reject) => {
    const secure = connectTls({
      socket,
      // Who must be named in the certificate: a name goes into SNI as well, an address does not.
      host,
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      // Said here, it holds against the environment too.
      rejectUnauthorized: true,
      ...authorities,
    });
    secure.on('error', (error) => {
      socket.destroy();
      reject(error);
    });
    secure.once('close', () => reject(new Error('the connection was closed')));
    secure.once('secureConnect', () => resolve(secure));
  });
}

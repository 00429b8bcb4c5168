/** A whole server over a store, alone or as one of several: what `quadrille serve` runs. */
import type { OpenOptions } from 'quadrille';
import type { HandlerSettings } from '../handler.js';
import type { Service, ServiceOptions } from '../host/index.js';
import type { ConnectionLimits } from '../node/connections.js';
import type { TlsIdentity } from '../node/node.js';
import type { RpcHandlerOptions } from '../rpc/index.js';

/** What a server is to its store: it writes, or it follows the one that does and forwards writes to it. */
export type Role = 'holder' | 'follower';

/** Options of {@link serve}. */
export interface ServeStoreOptions extends Omit<HandlerSettings, 'localPages' | 'rpc'> {
  /** 0: any free port. Default {@link DEFAULT_PORT}, or the next free one. */
  readonly port?: number;
  /** The address to listen on. Default 127.0.0.1: this machine alone. */
  readonly host?: string;
  /** Serves https. */
  readonly tls?: TlsIdentity;
  /** Bounds of connections that differ from the default. */
  readonly connections?: ConnectionLimits;
  /** Whether no token is required. Only clients on this machine can reach the server then. Default false. */
  readonly open?: boolean;
  /** The URL at which the other servers of a shared store reach this one, without a path. With it the server is one of several. Default: it is alone. */
  readonly advertise?: string;
  /** Whether it never writes to a shared store: it follows the server that does. Default false. */
  readonly follow?: boolean;
  /** How the store is opened. Default: it is created if it does not exist. */
  readonly store?: OpenOptions;
  /** Accounts, jobs and limits. */
  readonly service?: Omit<ServiceOptions, 'follows' | 'logger' | 'open' | 'servers'>;
  /** How RPC is answered at `/rpc`; false: not at all. */
  readonly rpc?: false | Pick<RpcHandlerOptions, 'httpStatus' | 'i8' | 'limits'>;
  /** Called once, when the store is open. A server that is alone answers no request before it has ended. */
  readonly whenOpen?: (service: Service, role: Role) => Promise<void>;
}

/** A server that listens. */
export interface Served {
  /** The address with the base path, without a slash at the end, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The port on which it listens. */
  readonly port: number;
  /** What it is at this moment: a server that is alone holds its store. */
  readonly role: Role;
  /** Uses another certificate for new connections. @throws Error of `node:tls`; then it goes on with the earlier one */
  renew(tls: TlsIdentity): void;
  /**
   * Lets answers under way finish, then closes the listener and the store. After `timeoutMs` (default 10 s) the connections of the others are
   * cut. Resolves with whether all answers have ended before.
   */
  close(timeoutMs?: number): Promise<boolean>;
}

/**
 * Serves a store: HTTP, RPC and roles. It listens before the store is open, and answers 503 until then.
 * @param location directory or URL of the store
 * @throws InvalidArgumentError `INVALID_OPTION`; the errors of `open`, `joinStore` and of the socket
 * @example
 * const server = await serve('./data', { port: 8080, open: true });
 * console.log(server.url, server.role);
 * await server.close();
 */
export async function serve(location: string, options: ServeStoreOptions = {}): Promise<Served> {
  const { serveStore } = await import('./serve-store.js');
  return serveStore(location, options);
}

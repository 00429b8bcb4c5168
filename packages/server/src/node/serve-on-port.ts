/** Chooses the port of a server. */
import type { Handler } from '../handler.js';
import { type NodeServer, serveNode, type ServeOptions } from './node.js';

/** The port of `quadrille serve`. */
export const DEFAULT_PORT = 8080;
const PORTS_TRIED = 20;

/**
 * Serves on the wanted port. Without one, on {@link DEFAULT_PORT} or the next free port.
 * Rejects with one line that says what to do, and the code of the socket (`EADDRINUSE`, `EACCES`).
 */
export async function serveOnPort(
  handler: Pick<Handler, 'reply'>,
  wanted?: number,
  options: Omit<ServeOptions, 'port'> = {},
): Promise<NodeServer> {
  const last = wanted ?? DEFAULT_PORT + PORTS_TRIED;
  for (let port = wanted ?? DEFAULT_PORT; ; port++) {
    try {
      return await serveNode(handler, { ...options, port });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EADDRINUSE' && port < last) continue;
      if (code === 'EADDRINUSE')
        throw portError(`port ${String(port)} is in use; choose another one, or 0`, code, error);
      if (code === 'EACCES') throw portError(`port ${String(port)} needs rights that this user lacks`, code, error);
      throw error;
    }
  }
}

const portError = (message: string, code: string, cause: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

/**
 * Requests and answers as messages, for whoever cannot reach a server by `fetch`: the page of a playground and its workers. Bodies of requests
 * that are files go as such: the other side reads them from the disk. Bodies of answers go in pieces, each when it is asked for.
 */

/** Two ends that send messages to one another: a port, a worker, or a name on a channel of the browser. */
export interface Channel {
  post(message: unknown): void;
  /** Hands over every message. Called once. */
  listen(take: (message: unknown) => void): void;
}

export interface PortRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Blob | null;
}

/** Each carries the number of its request. */
export type ToServer =
  | { readonly type: 'request'; readonly id: number; readonly request: PortRequest }
  /** The next piece is wanted. */
  | { readonly type: 'more'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number };

export type FromServer =
  /** The first message: a Web Lock that the other end holds as long as it lives; undefined where there are none. */
  | { readonly type: 'hello'; readonly lock: string | undefined }
  /** How many bytes of the body of the request were taken so far. */
  | { readonly type: 'taken'; readonly id: number; readonly bytes: number }
  | {
      readonly type: 'head';
      readonly id: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Undefined for one that comes in pieces. */
      readonly body: string | Uint8Array | null | undefined;
    }
  | { readonly type: 'piece'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly id: number }
  /** The request was not answered, or its answer broke off. */
  | { readonly type: 'broken'; readonly id: number; readonly message: string };

/** A port, or a worker itself, as a channel. */
export function channelOf(port: MessagePort | Worker): Channel {
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- ports and workers have no origin to name
    post: (message) => port.postMessage(message),
    listen(take) {
      port.addEventListener('message', ((event: MessageEvent) => take(event.data)) as EventListener);
      if (port instanceof MessagePort) port.start();
    },
  };
}

/** Resolves when whoever holds a lock has ended; never where the browser has no locks. */
export async function untilFree(lock: string, signal?: AbortSignal): Promise<void> {
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined) return new Promise(() => undefined);
  // Shared, so that all who wait are told.
  await locks.request(lock, { mode: 'shared', ...(signal && { signal }) }, () => undefined);
}

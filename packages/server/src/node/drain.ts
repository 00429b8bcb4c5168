/** Ends a server without breaking off what it has begun. */
import type { Server, ServerResponse } from 'node:http';

const IDLE_SWEEP_MS = 50;
/** The refusals of requests that came meanwhile are sent within this time. */
const LAST_REFUSALS_MS = 500;

/** The answers of a server that are under way. */
export class AnswersUnderWay {
  readonly #answers = new Set<ServerResponse>();
  #draining = false;
  #onEmpty: (() => void) | undefined;

  /** Requests that come while the server is drained are refused, and nobody waits for these answers. */
  begin(outgoing: ServerResponse): void {
    if (!this.#draining) this.#answers.add(outgoing);
  }

  end(outgoing: ServerResponse): void {
    if (this.#answers.delete(outgoing) && this.#answers.size === 0) this.#onEmpty?.();
  }

  /** Resolves with `true` when all answers of now have ended, and with `false` after the time. */
  async ended(timeoutMs: number): Promise<boolean> {
    this.#draining = true;
    if (this.#answers.size === 0) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

/** Closes the listener, and connections when they become idle. With `now` all of them at once. */
export function closeServer(server: Server, now: boolean): Promise<void> {
  return new Promise((resolve) => {
    // A kept-alive connection becomes idle after its last answer. It would delay the close until its timeout.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const timer = setTimeout(() => server.closeAllConnections(), LAST_REFUSALS_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(timer);
      resolve();
    });
    if (now) server.closeAllConnections();
    else server.closeIdleConnections();
  });
}

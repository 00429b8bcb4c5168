/** Who answers the requests of a tab: this worker, or the one of another tab. It changes when a tab is closed. */
import type { Asked, AnswerRequest, PortReply } from './serve-channel.js';

export class Answering {
  #current: AnswerRequest | undefined;
  #wake: () => void = () => undefined;
  #known = new Promise<void>((resolve) => (this.#wake = resolve));

  set(answer: AnswerRequest): void {
    this.#current = answer;
    this.#wake();
  }

  /** Nobody answers, until the next one is set. */
  clear(answer: AnswerRequest): void {
    if (this.#current !== answer) return;
    this.#current = undefined;
    this.#known = new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** Waits for who answers. A request that changes nothing is sent again where he has gone before he answered. */
  readonly answer: AnswerRequest = async (asked): Promise<PortReply> => {
    for (;;) {
      const answer = await this.#whoAnswers(asked.signal);
      try {
        return await answer(asked);
      } catch (error) {
        if (this.#current === answer || !isSafe(asked)) throw error;
      }
    }
  };

  async #whoAnswers(signal: AbortSignal): Promise<AnswerRequest> {
    while (this.#current === undefined) {
      signal.throwIfAborted();
      await this.#known;
    }
    return this.#current;
  }
}

function isSafe({ request: { method, headers } }: Asked): boolean {
  const type = new Headers(headers).get('Content-Type') ?? '';
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && type.startsWith('application/sparql-query'));
}

/** Gives back, in the background, the space that imports took which came to nothing. */
import type { Database, Logger } from 'quadrille';
import { isGone } from './rights.js';

export class Reclaimer {
  readonly #waiting = new Set<string>();
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger | undefined,
  ) {}

  /** One repository after the other, each once however often it is named meanwhile. */
  request(repository: string): void {
    if (this.#closed) return;
    this.#waiting.add(repository);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Begins nothing more, and waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    await this.#running;
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const name of this.#waiting) {
      this.#waiting.delete(name);
      try {
        const { bytesBefore, bytesAfter } = await (await this.database.repository(name)).compact();
        this.logger?.info('space of an import was given back', { repository: name, bytesBefore, bytesAfter });
      } catch (error) {
        // What is damaged is told to whoever asks for it.
        if (!isGone(error)) this.logger?.warn('no space was given back', { repository: name, error: String(error) });
      }
    }
  }
}

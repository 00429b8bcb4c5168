/** Compacts repositories in the background after failed imports, to free the space that they took. */
import type { Database, Logger } from 'quadrille';
import type { Job } from '../jobs/job.js';
import { isGone } from './rights.js';

export class Reclaimer {
  readonly #waiting = new Set<string>();
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger | undefined,
  ) {}

  /** With the repositories of imports that the end of the last process has interrupted. */
  static after(interrupted: readonly Job[], database: Database, logger: Logger | undefined): Reclaimer {
    const reclaimer = new Reclaimer(database, logger);
    for (const { kind, repository } of interrupted) if (kind === 'import') reclaimer.request(repository);
    return reclaimer;
  }

  /** Queues a repository. A repository that waits already is not queued twice. */
  request(repository: string): void {
    if (this.#closed) return;
    this.#waiting.add(repository);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Drops the queue and waits for the running compaction. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    await this.#running;
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const name of this.#waiting) {
      this.#waiting.delete(name);
      try {
        const { bytesBefore, bytesAfter } = await (await this.database.repository(name)).maintenance.compact();
        this.logger?.info('space of an import was given back', { repository: name, bytesBefore, bytesAfter });
      } catch (error) {
        // Reads of the repository report damage to their callers.
        if (!isGone(error)) this.logger?.warn('no space was given back', { repository: name, error: String(error) });
      }
    }
  }
}

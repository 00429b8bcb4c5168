/** The other repositories that an evaluation has opened, each once. */
import { AccessError, EvaluationError, FetchError, InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { Operation } from '../../algebra/algebra.js';
import { askedRepositories, withoutServices } from '../../algebra/asked-repositories.js';
import { parseRepositoryAddress } from '../../algebra/repository-address.js';
import type { EvaluationControl } from '../../control/control.js';
import type { QueryableDataset } from '../../dataset/dataset.js';
import type { IdDataset } from '../../dataset/id-dataset.js';
import type { Repositories } from '../../dataset/repositories.js';

/** Each keeps a repository in memory while the evaluation goes on. */
const MOST_REPOSITORIES = 100;

export class OpenedRepositories {
  readonly #asked = new Map<string, Promise<QueryableDataset>>();
  /** Those that are open, by address. */
  readonly datasets = new Map<string, IdDataset>();

  constructor(
    private readonly source: Repositories | undefined,
    private readonly control: EvaluationControl,
  ) {}

  /**
   * Opens a repository by its address.
   * @throws EvaluationError `UNSUPPORTED` where other repositories cannot be read or are too many, and what ends the evaluation;
   * what {@link Repositories.open} throws
   */
  async open(iri: string): Promise<IdDataset> {
    const known = this.datasets.get(iri);
    if (known !== undefined) return known;
    let asked = this.#asked.get(iri);
    if (asked === undefined) this.#asked.set(iri, (asked = this.#open(iri)));
    const { ids } = await this.control.whileRunning(asked);
    this.control.throwIfFailed();
    this.datasets.set(iri, ids);
    return ids;
  }

  async #open(iri: string): Promise<QueryableDataset> {
    const address = parseRepositoryAddress(iri);
    if (this.source === undefined) {
      throw new EvaluationError('UNSUPPORTED', `other repositories cannot be read here: <${iri}>`);
    }
    if (this.#asked.size >= MOST_REPOSITORIES) {
      const most = `at most ${MOST_REPOSITORIES} other repositories`;
      throw new EvaluationError('UNSUPPORTED', `a request reads ${most}; <${iri}> is one more`);
    }
    return this.source.open(address);
  }
}

/**
 * Opens the repositories that an operation asks, and gives the operation without what SILENT passes over.
 * @throws as {@link OpenedRepositories.open}, for a SERVICE without SILENT
 */
export async function openAsked(
  operation: Operation,
  opened: OpenedRepositories,
  control: EvaluationControl,
): Promise<Operation> {
  const failed = new Set<string>();
  const { all, needed } = askedRepositories(operation);
  for (const address of all) {
    try {
      await opened.open(address);
    } catch (error) {
      if (needed.has(address) || !isSilenced(error, control)) throw error;
      failed.add(address);
    }
  }
  return failed.size === 0 ? operation : withoutServices(operation, failed);
}

/** Whether SILENT passes over an error: what says that the repository cannot be read, not what ends the whole evaluation. */
export function isSilenced(error: unknown, { failure }: EvaluationControl): boolean {
  if (failure !== undefined) return false;
  if (error instanceof EvaluationError) return error.code === 'UNSUPPORTED';
  return [NotFoundError, InvalidArgumentError, AccessError, FetchError].some((kind) => error instanceof kind);
}

/** The report of a recovery: what was kept and lost of each repository, and the damage that was found. */
import type { QuadrilleError } from '@quadrille/model';

/**
 * What a recovery kept and lost of a repository.
 * @since 0.1.0
 */
export interface RecoveredRepository {
  /** `account/repository`. */
  readonly name: string;
  /** Number of revisions of the new repository. */
  readonly revisionsKept: number;
  /** Number of revisions that could not be kept, as far as it is known. */
  readonly revisionsLost: number;
  /** Number of quads that the lost revisions had added, as far as it is known. */
  readonly quadsLost: number;
}

/**
 * Damage that a recovery has found.
 * @since 0.1.0
 */
export interface RecoveryProblem {
  /** A code of `docs/reference/errors.md`, mostly of damaged data. */
  readonly code: string;
  /** The fault. */
  readonly message: string;
  /** The part that is damaged: a repository, a revision, a file. */
  readonly where: string;
  /** Whether the problem means that data are lost, or may be. */
  readonly lost: boolean;
}

/** The result of a recovery: the kept and lost parts. */
export interface RecoveryReport {
  /** The repositories, sorted by name. */
  readonly repositories: readonly RecoveredRepository[];
  /** The damage that was found. About 1,000 problems are listed one by one. */
  readonly problems: readonly RecoveryProblem[];
}

/** Number of problems that are reported individually. */
const MOST_PROBLEMS = 1000;

export class Problems {
  readonly #told: RecoveryProblem[] = [];
  #more = 0;
  #moreLost = false;

  /** Adds a problem by which data are lost. */
  lost(error: Pick<QuadrilleError, 'code' | 'message'>, where: string): void {
    this.add({ code: error.code, message: error.message, where, lost: true });
  }

  add(problem: RecoveryProblem): void {
    if (this.#told.length < MOST_PROBLEMS) this.#told.push(problem);
    else {
      this.#more++;
      this.#moreLost ||= problem.lost;
    }
  }

  get all(): readonly RecoveryProblem[] {
    if (this.#more === 0) return this.#told;
    const message = `${this.#more} more problems of these kinds`;
    return [...this.#told, { code: 'CHECKSUM', message, where: 'store', lost: this.#moreLost }];
  }
}

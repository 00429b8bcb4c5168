/** The report of a recovery: what was kept and lost of each repository, and the damage that was found. */
import type { QuadrilleError } from '@quadrille/model';

export interface RecoveredRepository {
  readonly name: string;
  readonly revisionsKept: number;
  readonly revisionsLost: number;
  /** Number of quads that the lost revisions had added, as far as it is known. */
  readonly quadsLost: number;
}

export interface RecoveryProblem {
  readonly code: string;
  readonly message: string;
  readonly where: string;
  /** Whether the problem means that data are lost, or may be. */
  readonly lost: boolean;
}

export interface RecoveryReport {
  /** The repositories, sorted by name. */
  readonly repositories: readonly RecoveredRepository[];
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

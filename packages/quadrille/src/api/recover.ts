/** The recovery of a damaged store. */
import type { RecoveredRepository, RecoveryProblem } from '@quadrille/core';

export type { RecoveredRepository, RecoveryProblem };

/**
 * Options of {@link recover}.
 * @since 0.1.0
 */
export interface RecoverOptions {
  /**
   * Directory for the recovered store; it must not exist.
   * @defaultValue the path of the damaged store plus `.recovered`
   */
  readonly to?: string | URL | undefined;
  /**
   * Moves the damaged store to its path plus `.damaged`, which must not exist, and puts the recovered store in its place.
   * Otherwise the damaged store is not changed.
   * @defaultValue `false`
   */
  readonly inPlace?: boolean | undefined;
  /**
   * How long to wait for another process to close the store, in milliseconds, from 0 to 2^31 - 1.
   * @defaultValue `0`
   */
  readonly lockTimeoutMs?: number | undefined;
  /** Ends the recovery with `ABORTED` and removes the unfinished store. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a recovery kept and lost.
 * @since 0.1.0
 */
export interface RecoverReport {
  /** Path of the recovered store. */
  readonly location: string;
  /** Path of the damaged store. */
  readonly damaged: string;
  /** Whether something is lost, or may be lost. */
  readonly lost: boolean;
  /** The kept and lost parts of each repository, sorted by name. */
  readonly repositories: readonly RecoveredRepository[];
  /** The damage that was found. About 1,000 problems are listed one by one. */
  readonly problems: readonly RecoveryProblem[];
}

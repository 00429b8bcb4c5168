/** The recovery of a damaged store. */
import type { RecoveredRepository, RecoveryProblem } from '@quadrille/core';

export type { RecoveredRepository, RecoveryProblem };

export interface RecoverOptions {
  /** Directory for the recovered store; it must not exist. Default: the path of the damaged store plus `.recovered`. */
  readonly to?: string | URL | undefined;
  /**
   * Moves the damaged store to its path plus `.damaged`, which must not exist, and puts the recovered store in its place.
   * Default false: the damaged store is not changed.
   */
  readonly inPlace?: boolean | undefined;
  /** How long to wait for another process to close the store, in milliseconds. Default 0. */
  readonly lockTimeoutMs?: number | undefined;
  /** Aborts the recovery and removes the unfinished store. */
  readonly signal?: AbortSignal | undefined;
}

export interface RecoverReport {
  /** Path of the recovered store. */
  readonly location: string;
  /** Path of the damaged store. */
  readonly damaged: string;
  /** Whether something is lost, or may be lost. */
  readonly lost: boolean;
  /** Sorted by name. */
  readonly repositories: readonly RecoveredRepository[];
  readonly problems: readonly RecoveryProblem[];
}

/** Recovers a damaged store: copies its intact revisions into a new store. */
import { platform } from '#platform';
import { platformEnv, recoverStore } from '@quadrille/core';
import type { RecoveryReport } from '@quadrille/core';
import { EvaluationError, InvalidArgumentError } from '@quadrille/model';
import { StorageEngine } from '@quadrille/storage';
import type { RecoverOptions, RecoverReport } from './api/index.js';
import { RECOVER_OPTIONS } from './options/calls.js';
import { checkOptions, checkSignal } from './options/check-options.js';
import type { Recovery } from './platform/platform.js';

/**
 * Creates a new store from a damaged one in a directory. Each repository keeps everything before its first damaged revision,
 * with the ids, times, authors and messages of the revisions. Accounts, prefixes, tags and records of the server are kept if
 * they can be read. Indexes are rebuilt. The damaged store is locked meanwhile, and only read. A recovery takes about as long
 * as loading the same quads; it reads logs and terms twice.
 *
 * An error leaves no part of the new store behind.
 * @param location the directory of the damaged store, by path or file URL
 * @throws ConflictError `ALREADY_EXISTS` if the target exists
 * @throws StateError `STORE_LOCKED`, `NOT_A_STORE`
 * @throws NotFoundError `STORE_NOT_FOUND`
 * @throws CorruptionError `FORMAT_VERSION` for a store of a newer version
 * @throws StorageError `STORAGE_FULL`, `STORAGE_IO`
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @throws EvaluationError `ABORTED`
 * @example
 * ```ts
 * import { open, recover } from 'quadrille';
 *
 * const db = await open('./data');
 * await db.repository('people', { create: true });
 * await db.close();
 *
 * const { lost, repositories, location } = await recover('./data', { to: './recovered' });
 * console.log(lost, repositories.length, location.endsWith('recovered')); // false 1 true
 * ```
 * @since 0.1.0
 */
export async function recover(location: string | URL, options: RecoverOptions = {}): Promise<RecoverReport> {
  checkOptions(options, RECOVER_OPTIONS, 'recover');
  const { to, inPlace = false, lockTimeoutMs = 0, signal } = options;
  if (to !== undefined && inPlace) throw wrong('to and inPlace exclude each other');
  checkSignal(signal);
  const places = { target: to === undefined ? undefined : pathOf(to), inPlace, lockTimeoutMs };
  const recovery = await platform.beginRecovery(pathOf(location), places);
  try {
    const report = await copy(recovery, signal);
    const lost = report.problems.some((problem) => problem.lost);
    return { ...(await recovery.finish()), lost, ...report };
  } catch (error) {
    await recovery.abandon();
    if (signal?.aborted !== true) throw error;
    throw new EvaluationError('ABORTED', 'the caller aborted the recovery', { cause: signal.reason });
  }
}

async function copy(recovery: Recovery, signal: AbortSignal | undefined): Promise<RecoveryReport> {
  const from = await StorageEngine.open(recovery.source);
  try {
    const to = await StorageEngine.open(await recovery.target());
    try {
      return await recoverStore(from, to, { env: platformEnv(), damages: recovery.damages, signal });
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

function pathOf(location: unknown): string {
  if (location instanceof URL) return platform.pathOf(location);
  if (typeof location === 'string' && location !== '' && location !== ':memory:') return location;
  throw wrong(`a store is the path or the file URL of a directory, not ${String(location)}`);
}

const wrong = (what: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', `recover: ${what}`);

/**
 * The directories of a recovery. The damaged store is locked. The new store is created beside its target under another name,
 * and is renamed when it is complete.
 */
import { existsSync } from 'node:fs';
import { lstat, realpath, rename, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ConflictError, InvalidArgumentError, StorageError } from '@quadrille/model';
import { toQuadrilleError } from '@quadrille/storage';
import type { Damage, StorageDriver } from '@quadrille/storage';
import { syncDirectory } from '@quadrille/storage-directory';
import type { DamagedStore } from '@quadrille/storage-directory';
import type { Backend } from '../api/index.js';
import { assertPath, damagedBackendOf, makeDirectory, openDamagedDirectory } from './backends.js';
import type { Recovery, RecoveryPlaces } from './platform.js';

/** @throws ConflictError `ALREADY_EXISTS`, InvalidArgumentError `INVALID_OPTION`, and the errors of opening a store */
export async function beginRecovery(location: string, places: RecoveryPlaces): Promise<Recovery> {
  // A shared store keeps its log in a service that guards it: `verify` names what is wrong, and a backup replaces it.
  assertPath('recover: a damaged store', location);
  assertPath('recover: the new store', places.target);
  const path = resolve(location);
  const { inPlace, lockTimeoutMs } = places;
  // If the path is a symbolic link, the directory behind it is replaced, not the link.
  const place = inPlace ? await realpath(path).catch(() => path) : resolve(places.target ?? `${path}.recovered`);
  const damages: Damage[] = [];
  if (inPlace) await assertFree(asideOf(place));
  else {
    await assertFree(place);
    await assertOutside(path, place);
  }
  const backend = await damagedBackendOf(path);
  try {
    const store = await openDamagedDirectory(path, backend, (damage) => damages.push(damage), lockTimeoutMs);
    return new DirectoryRecovery(store, backend, damages, place, inPlace);
  } catch (error) {
    throw toQuadrilleError(`open the store ${path}`, error);
  }
}

const asideOf = (place: string): string => `${place}.damaged`;

class DirectoryRecovery implements Recovery {
  /** The path of the new store until it is complete. */
  readonly #unfinished: string;

  constructor(
    private readonly store: DamagedStore,
    private readonly backend: Backend,
    readonly damages: readonly Damage[],
    private readonly place: string,
    private readonly inPlace: boolean,
  ) {
    this.#unfinished = `${place}.unfinished-${randomBytes(4).toString('hex')}`;
  }

  get source(): StorageDriver {
    return this.store.driver;
  }

  target(): Promise<StorageDriver> {
    return makeDirectory(this.#unfinished, this.backend);
  }

  async finish(): Promise<{ location: string; damaged: string }> {
    const { store, place, inPlace } = this;
    const damaged = inPlace ? asideOf(place) : store.path;
    await assertFree(inPlace ? damaged : place);
    try {
      if (inPlace) await store.replace(this.#unfinished, damaged);
      else {
        await rename(this.#unfinished, place);
        await syncDirectory(dirname(place));
      }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StorageError('STORAGE_IO', `Cannot put the recovered store at ${place}: ${reason}`, { cause });
    }
    await store.release();
    return { location: place, damaged };
  }

  async abandon(): Promise<void> {
    await rm(this.#unfinished, { recursive: true, force: true }).catch(() => undefined);
    await this.store.release();
  }
}

async function assertFree(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return;
  throw new ConflictError('ALREADY_EXISTS', `${path} exists already: move it away, or recover to another directory`, {
    details: { path },
  });
}

// A target inside the damaged store would be a write to it.
async function assertOutside(store: string, target: string): Promise<void> {
  const inside = relative(await realOf(store), await realOf(target));
  if (inside.startsWith('..') || isAbsolute(inside)) return;
  throw new InvalidArgumentError('INVALID_OPTION', `recover: ${target} is inside the damaged store ${store}`);
}

/** The path without symbolic links; the part of it that does not exist stays as it is. */
async function realOf(path: string): Promise<string> {
  if (existsSync(path) || dirname(path) === path) return realpath(path);
  return join(await realOf(dirname(path)), basename(path));
}

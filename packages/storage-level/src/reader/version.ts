/** Reads from the manifest which files of a LevelDB directory belong to the database (leveldb/db/version_edit.cc). */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CorruptionError } from '@quadrille/model';
import { ByteCursor } from './byte-cursor.js';
import { readLogRecords } from './log-records.js';

const LEVELS = 7;
const TAG = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedFile: 6,
  newFile: 7,
  previousLog: 9,
} as const;

export interface TableFile {
  readonly number: number;
  readonly bytes: number;
  /** Smallest and largest user key. */
  readonly smallest: Uint8Array;
  readonly largest: Uint8Array;
}

export interface LevelVersion {
  /** The name of the manifest. */
  readonly manifest: string;
  /** Level 0 from the newest to the oldest table, the other levels in key order. */
  readonly levels: readonly (readonly TableFile[])[];
  /** Number of the first log whose content is in no table. `previousLog` is an earlier such log; 0 if there is none. */
  readonly logNumber: number;
  readonly previousLog: number;
}

/** @throws CorruptionError `LOG_BROKEN` */
export async function readVersion(directory: string): Promise<LevelVersion> {
  return readManifest(directory, (await readFile(join(directory, 'CURRENT'), 'utf8')).trim());
}

/**
 * Like {@link readVersion}, for a manifest with a given name. With `thorough`, a fragment of full length at its end
 * must be intact.
 * @throws CorruptionError `LOG_BROKEN`
 */
export async function readManifest(
  directory: string,
  manifest: string,
  { thorough = false } = {},
): Promise<LevelVersion> {
  const { records, damaged, rest } = readLogRecords(await readFile(join(directory, manifest)));
  if (records.length === 0 || damaged.length > 0 || (thorough && rest?.whole === true)) {
    throw new CorruptionError('LOG_BROKEN', `${join(directory, manifest)} is damaged.`, {
      details: { path: directory },
    });
  }
  const state = new VersionState();
  for (const record of records) state.apply(new ByteCursor(record));
  return { manifest, levels: state.levels(), logNumber: state.logNumber, previousLog: state.previousLog };
}

class VersionState {
  logNumber = 0;
  previousLog = 0;
  readonly #files = Array.from({ length: LEVELS }, () => new Map<number, TableFile>());

  // A token switch: one case for each field.
  apply(edit: ByteCursor): void {
    while (!edit.done) {
      switch (edit.varint()) {
        case TAG.comparator:
          edit.prefixed();
          break;
        case TAG.logNumber:
          this.logNumber = edit.varint();
          break;
        case TAG.previousLog:
          this.previousLog = edit.varint();
          break;
        case TAG.nextFile:
        case TAG.lastSequence:
          edit.varint();
          break;
        case TAG.compactPointer:
          edit.varint();
          edit.prefixed();
          break;
        case TAG.deletedFile:
          this.#files[edit.varint()]?.delete(edit.varint());
          break;
        case TAG.newFile: {
          const level = edit.varint();
          const file = { number: edit.varint(), bytes: edit.varint(), smallest: userKey(edit), largest: userKey(edit) };
          this.#files[level]?.set(file.number, file);
          break;
        }
        default:
          throw new CorruptionError('LOG_BROKEN', 'The manifest of LevelDB has an unknown field.');
      }
    }
  }

  levels(): TableFile[][] {
    return this.#files.map((files, level) =>
      [...files.values()].sort((a, b) => (level === 0 ? b.number - a.number : Buffer.compare(a.smallest, b.smallest))),
    );
  }
}

/** Removes the eight bytes of sequence number and type after the user key. */
const userKey = (edit: ByteCursor): Uint8Array => edit.prefixed().slice(0, -8);

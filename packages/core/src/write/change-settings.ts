/** Changes the settings of a repository: between two commits, so that each commit obeys either the old or the new ones. */
import { InvalidArgumentError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { PART_BYTES, Tag } from '../format/layout.js';
import type { RepositoryAccess } from '../open/repository-access.js';
import type { RepositoryHandle } from '../open/handle.js';
import { EndedColumns, QuadColumns } from '../index/quad-columns.js';
import { Candidate } from './candidate.js';
import { toJson } from '../format/byte-codec.js';
import type { StoredSettings } from '../keyspace/stored-settings.js';

/** New settings instead of those before. An `undefined` member is one that is not set. */
export type SettingsChange = (
  before: StoredSettings,
  /** The present state of `main`. It is in memory with each line. */
  present: Candidate,
) => StoredSettings | Promise<StoredSettings>;

const NO_CHANGE = { added: new QuadColumns(), removed: new EndedColumns() };

/** @throws InvalidArgumentError `INVALID_OPTION` if they are too long */
export async function changeSettings(
  handle: RepositoryHandle,
  access: RepositoryAccess,
  change: SettingsChange,
): Promise<StoredSettings> {
  const { timeline, leave } = await access.enter();
  try {
    return await handle.writeLock.run(async () => {
      timeline.checkWritable();
      const before = await handle.readSettings();
      const present = new Candidate(handle.root.timeline, NO_CHANGE);
      let after: StoredSettings;
      try {
        after = await change(before, present);
      } finally {
        present.close();
      }
      timeline.checkWritable();
      const op = writeOf(after, timeline.keyspace.key(Tag.settings));
      // Earlier versions do not know the key, and would not obey it.
      await timeline.keyspace.format.raise();
      try {
        await timeline.keyspace.writeAlone([op]);
      } finally {
        // A write that failed may have been made all the same.
        handle.settings.forget();
      }
      const changed = await handle.readSettings();
      // Whoever follows the repository may have other work now.
      handle.publications.announce();
      return changed;
    });
  } finally {
    await leave();
  }
}

function writeOf(settings: StoredSettings, key: Uint8Array): WriteOp {
  const value = toJson(settings);
  // What is not set is no member of the JSON.
  if (value.length === 2) return { type: 'delete', key };
  if (value.length <= PART_BYTES) return { type: 'put', key, value };
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `settings: they have ${value.length} bytes as JSON, and may have ${PART_BYTES}`,
  );
}

/** Reads one state of LMDB in a store that may be damaged. The caller holds the store's lock. */

import type { StorageCapabilities } from '@quadrille/storage';
import { assertData } from './lmdb-data.js';
import { LmdbDriver } from './lmdb-driver.js';
import { openEnvironment } from './lmdb-environment.js';

export class LmdbRemains extends LmdbDriver {
  override readonly capabilities: StorageCapabilities = {
    getSync: true,
    durable: true,
    sizeOnDisk: false,
    compact: false,
    readOnly: true,
  };

  /** A driver over the files in the directory `path`. */
  constructor(private readonly path: string) {
    super();
  }

  /** @throws CorruptionError `LOG_BROKEN` if the file is missing, truncated or not an LMDB file */
  override async open(): Promise<void> {
    await assertData(this.path);
    const environment = openEnvironment(this.path, { readOnly: true, noSync: false });
    try {
      this.use(environment, environment.useReadTransaction());
    } catch (error) {
      await environment.close();
      throw error;
    }
  }
}

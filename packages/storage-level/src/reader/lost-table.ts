/**
 * A table that cannot be read at all. Reading its keys fails, because older tables have only older versions of them.
 */

import { CorruptionError } from '@quadrille/model';
import type { KeyVersion, VersionSource } from './key-version.js';

export class LostTable implements VersionSource {
  constructor(private readonly message: string) {}

  /** @throws CorruptionError `CHECKSUM` */
  find(): KeyVersion {
    throw new CorruptionError('CHECKSUM', this.message);
  }

  scan(): Iterable<KeyVersion> {
    return [];
  }
}

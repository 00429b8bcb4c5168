/**
 * Backups of repositories that come and go while they change, into one place. What is restored of each equals the model
 * at every revision, whatever was merged, compacted, rebuilt or deleted between two backups.
 *
 * QUADRILLE_SEED repeats a run. QUADRILLE_BACKUP_SEQUENCES: more of them.
 */
import { describe, expect, it } from 'vitest';
import { DRIVERS, runBackups } from './backup-scene.js';
import { SEED } from './environment.js';

const SEQUENCES = Number(process.env['QUADRILLE_BACKUP_SEQUENCES'] ?? 3);

describe(`backups against the model (QUADRILLE_SEED=${SEED})`, () => {
  it.each(Object.keys(DRIVERS))(
    '%s',
    async (name) => {
      let reused = 0;
      for (let n = 0; n < SEQUENCES; n++) reused += (await runBackups(name, n, SEED)).reused;
      expect(reused).toBeGreaterThan(0);
    },
    60_000 + SEQUENCES * 10_000,
  );
});

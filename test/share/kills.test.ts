/** Processes that share a store while their holder is killed: nothing that was acknowledged is lost, and nothing is done twice. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { killHolders } from './kills.js';

const { QUADRILLE_KILLS: kills = '4', QUADRILLE_KILLS_WRITES: writes = '30' } = process.env;

test(
  `four processes with ${writes} writes each, and ${kills} kills of the holder`,
  { timeout: 3_600_000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quadrille-kills-'));
    try {
      const report = await killHolders(join(directory, 'store'), {
        writers: 4,
        writes: Number(writes),
        kills: Number(kills),
      });
      if (process.env['QUADRILLE_KILLS'] !== undefined) console.log(report);
      expect(report).toMatchObject({ lost: 0, doubled: 0, revisions: 4 * Number(writes), errors: [] });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
);

/**
 * A share of the simulation of the whole stack, with fixed seeds. `npm run campaign -- stack` runs long, and `--repeat suite/N` repeats
 * schedule N of the share.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SCHEDULES = 60;
/** It takes some seconds of a core, which other tests may use, too. */
const TIMEOUT_MS = 300_000;

it(
  `finds nothing in the schedules suite/1 to suite/${SCHEDULES}, and repeats them`,
  async () => {
    const root = join(import.meta.dirname, '../..');
    const hooks = join(root, 'test/campaigns/typescript.mjs');
    const share = join(import.meta.dirname, 'share.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', hooks, share, String(SCHEDULES)], {
      cwd: root,
    });
    const ran = JSON.parse(stdout) as Record<'schedules' | 'steps' | 'calls' | 'failed' | 'taken' | 'refused', number>;
    expect(ran.schedules).toBe(SCHEDULES);
    expect(ran.calls).toBeGreaterThan(SCHEDULES * 50);
    expect(ran.failed).toBeGreaterThan(0);
    // Both answers of the guard are compared with the model.
    expect(ran.taken).toBeGreaterThan(SCHEDULES);
    expect(ran.refused).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

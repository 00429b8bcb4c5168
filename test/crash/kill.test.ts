/**
 * A process that commits, loads, compacts and rebuilds is killed with SIGKILL at random moments, also while it opens
 * what the one before it left. Nothing that it was told is lost, nothing is there in part (kill.ts).
 *
 * Runs the compiled packages (`npx tsc -b` first). QUADRILLE_KILL_CYCLES: more of them; QUADRILLE_SEED repeats the
 * operations, not the moments. `npm run campaign -- kill` runs long.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@quadrille/storage/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { digestOf } from './kill-operations.mjs';
import { BACKENDS, inspect, Model, VictimProcess } from './kill.js';

const CYCLES = Number(process.env['QUADRILLE_KILL_CYCLES'] ?? 10);

describe(`SIGKILL (QUADRILLE_SEED=${SEED})`, () => {
  let directory = '';
  beforeAll(() => {
    if (!existsSync(join(import.meta.dirname, '../../packages/lmdb/dist/index.js')))
      throw new Error('run npx tsc -b first');
    directory = mkdtempSync(join(tmpdir(), 'quadrille-kill-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(Object.entries(BACKENDS))(
    `%s loses nothing acknowledged and keeps nothing half done in ${CYCLES} kills`,
    async (backend, openDriver) => {
      const random = seededRandom(SEED);
      const seen: Record<string, number> = {};
      let operations = 0;
      let run = 0;
      let model = new Model(0);
      for (let n = 0; n < CYCLES; n++) {
        // A new store every few kills: states grow.
        if (n % 5 === 0) model = new Model(SEED + ++run);
        const seed = SEED + run;
        const path = join(directory, `${backend}${run}`);
        const durable = run % 2 === 0;
        const fromOpen = random() < 0.3;
        const delay = Math.floor(random() * (fromOpen ? 40 : 250));
        const victim = { backend, directory: path, sideFile: join(directory, 'side'), seed, durable };
        const told = await new VictimProcess(victim).kill(model.done, delay, fromOpen);
        const last = told.at(-1)!;
        const killedIn = last.event === 'begin' ? last.kind! : last.event;
        seen[killedIn] = (seen[killedIn] ?? 0) + 1;
        for (const { index, number, digest } of told.filter(({ event }) => event === 'done')) {
          expect(index).toBe(model.done);
          model.follow();
          operations++;
          expect(number).toBe(model.head);
          if (digest !== undefined) expect(digest).toBe(digestOf(model.states.at(-1)!));
        }
        await inspect(openDriver(path), model, `${backend}, kill ${n + 1} in ${killedIn}, seed ${SEED}`);
      }
      console.log(
        `${backend}: ${CYCLES} kills, ${operations} acknowledged operations; killed in ${JSON.stringify(seen)}`,
      );
    },
    30_000 + CYCLES * 4000,
  );
});

/** The model test over a store in a real PostgreSQL. `QUADRILLE_SEQUENCES` runs more of it. */
import { PostgresDriver } from '@quadrille/postgres';
import { describe, it } from 'vitest';
import { PostgresServer, WITHOUT_POSTGRES } from '../postgres/server.js';
import { notInShare } from '../share.js';
import { SEED } from './environment.js';
import { overShared, runSequence } from './sequence.js';

const SEQUENCES = Number(process.env['QUADRILLE_SEQUENCES'] ?? 1);

const why = WITHOUT_POSTGRES || notInShare(1, 2);
describe.skipIf(why !== '')(`the model over PostgreSQL${why}`, () => {
  it(`${SEQUENCES} sequences (QUADRILLE_SEED=${SEED}, QUADRILLE_SEQUENCES)`, { timeout: 3_600_000 }, async () => {
    const server = await PostgresServer.start();
    try {
      for (let sequence = 0; sequence < SEQUENCES; sequence++) {
        const url = await server.database(`model${sequence}`);
        await runSequence(
          overShared(() => new PostgresDriver(url)),
          sequence,
          SEED,
        );
      }
    } finally {
      await server.stop();
    }
  });
});

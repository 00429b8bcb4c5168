/** Every answer is as `/openapi.json` describes it: to requests that it describes, and to such as strangers send. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DescribedServer, randomBelow } from './server.js';

/** `QUADRILLE_SEED=seed` replays; `QUADRILLE_DESCRIBED_ROUNDS` sends more than six requests to each operation. `npm run campaign -- http` runs long. */
const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
const ROUNDS = Number(process.env['QUADRILLE_DESCRIBED_ROUNDS'] ?? 6);

let server: DescribedServer;
beforeAll(async () => void (server = await DescribedServer.start()));
afterAll(() => server.stop());

test('every answer to requests made from the description is as it is described', { timeout: 120_000 }, async () => {
  console.log(`described: seed ${String(SEED)}`);
  const send = server.requests(randomBelow(SEED));
  const turns = Array.from({ length: ROUNDS }, () => server.operations).flat();
  const faults: string[] = [];
  for (const operation of turns) {
    const fault = await send(operation);
    if (fault !== undefined) faults.push(fault);
  }
  console.log(`described: ${String(turns.length)} requests, ${JSON.stringify(Object.fromEntries(server.statuses))}`);
  expect(faults.slice(0, 20), `seed ${String(SEED)}, ${String(faults.length)} in all`).toEqual([]);
});

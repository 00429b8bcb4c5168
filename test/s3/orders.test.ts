/**
 * Two writers, a taker, a collector and a reader over one log in an object store, in random orders of their requests.
 * Requests wait until it is their turn. Some are answered as if the service were broken, and some arrive late.
 */
import { S3Driver, type ObjectAnswer, type ObjectRequest } from '@quadrille/s3';
import { seededRandom } from '@quadrille/storage/testing';
import { checkTold, collector, nothingTold, reader, writer, type ModelActor } from '@quadrille/storage-shared/testing';
import { expect, test } from 'vitest';
import { Objects, transportOf } from './objects.js';

/** Printed, so that a failure can be repeated. */
const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
const RUNS = Number(process.env['QUADRILLE_RUNS'] ?? 150);

interface Waiting {
  readonly request: ObjectRequest;
  readonly resolve: (answer: ObjectAnswer) => void;
}
const BROKEN: ObjectAnswer = { status: 500, header: () => undefined, body: new Uint8Array(0) };

/** Lets promises go on until nothing more happens without an answer. */
async function settled(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function run(actors: readonly ModelActor[], random: () => number, losses: number): Promise<number> {
  const objects = new Objects();
  const send = transportOf(objects);
  const waiting: Waiting[] = [];
  const late: ObjectRequest[] = [];
  const told = nothingTold();
  const connect = (transport = send): S3Driver =>
    new S3Driver('s3://store', { transport, requestMs: 600_000, pause: async () => undefined });
  await connect().open();
  let running = actors.length;
  let failure: unknown;
  for (const actor of actors) {
    const driver = connect((request) => new Promise((resolve) => waiting.push({ request, resolve })));
    actor(driver, told)
      .catch((error: unknown) => (failure ??= error))
      .finally(() => running--);
  }
  let steps = 0;
  let left = losses;
  for (await settled(); running > 0; await settled()) {
    if (failure !== undefined) throw failure;
    steps++;
    const place = Math.floor(random() * (waiting.length + late.length));
    if (place >= waiting.length) {
      await send(late.splice(place - waiting.length, 1)[0]!);
      continue;
    }
    const [{ request, resolve }] = waiting.splice(place, 1) as [Waiting];
    const fate = request.method === 'PUT' && left > 0 ? Math.floor(random() * 12) : 3;
    if (fate < 3) left--;
    // The answer is lost; the request is lost; it arrives later.
    if (fate === 0) await send(request);
    if (fate === 2) late.push(request);
    resolve(fate < 3 ? BROKEN : await send(request));
  }
  if (failure !== undefined) throw failure;
  for (const request of late) await send(request);
  await checkTold(expect, connect(), told);
  return steps;
}

test(`${RUNS} orders of the requests of writers, a collector and a reader (QUADRILLE_SEED=${SEED}, QUADRILLE_RUNS)`, async () => {
  const random = seededRandom(SEED);
  let steps = 0;
  for (let i = 0; i < RUNS; i++) {
    const actors = [writer('a', [10, 11]), writer('b', [20, 21]), writer('d', [30]), collector('c'), reader(3)];
    try {
      steps += await run(actors, random, 4);
    } catch (error) {
      throw new Error(`run ${i} of seed ${SEED}`, { cause: error });
    }
  }
  expect(steps).toBeGreaterThan(RUNS * 10);
});

// Random changes of valid calls in both protocols: each gets an answer of its protocol, nothing breaks, and memory stays.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JSON_TYPE, jsonCall, XML_TYPE } from './calls.js';
import { json, Mutations } from './mutations.js';
import { residentBytes } from './resident-bytes.js';

/** Set QUADRILLE_RPC_MUTATIONS for more, and QUADRILLE_SEED to repeat a run. `npm run campaign -- rpc` runs long. */
const COUNT = Number(process.env['QUADRILLE_RPC_MUTATIONS'] ?? 10_000);
const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
const MAX_GROWTH_BYTES = 48e6;

let mutations: Mutations;
beforeAll(async () => (mutations = await Mutations.start()));
afterAll(() => mutations?.stop());

test(
  `${String(COUNT)} mutations: no failure, no growth of memory`,
  async () => {
    console.log(`QUADRILLE_RPC_MUTATIONS=${COUNT} QUADRILLE_SEED=${SEED}`);
    const { outcomes, server } = mutations;
    const half = Math.ceil(COUNT / 2);
    expect(await mutations.run(SEED, 0, half)).toEqual([]);
    const before = residentBytes(server.pid);
    expect(await mutations.run(SEED, half, COUNT)).toEqual([]);
    const grown = residentBytes(server.pid) - before;
    console.log(Object.fromEntries([...outcomes].toSorted()), `grown by ${(grown / 1e6).toFixed(1)} MB`);
    expect(grown).toBeLessThan(MAX_GROWTH_BYTES);
    // They get further than the syntax, and through.
    for (const type of [JSON_TYPE, XML_TYPE]) {
      for (const outcome of ['done', '-32700', '-32600', '-32601', '-32602']) {
        expect(outcomes.get(`${type} ${outcome}`)).toBeGreaterThan(0);
      }
    }
    const answer = await mutations.send(json(''), Buffer.from(jsonCall('DescribeService')));
    expect(answer.body).toContain('2012-06-01');
  },
  60_000 + COUNT * 10,
);

import { readFileSync } from 'node:fs';
import { Mutations } from '../../rpc/mutations.js';
import { residentBytes } from '../../rpc/resident-bytes.js';
import { type Kind, must } from '../kind.js';

/** Calls of one run. */
const CALLS = 500;
/** Runs after which the memory of the server has its size. */
const WARM = 20;
const MAX_GROWTH_BYTES = 96e6;

export const kind: Kind = {
  runs: 'batches',
  operations: 'calls',
  promise:
    'Every call gets an answer of its protocol, JSON-RPC or XML-RPC. No call ends the process, is answered with an internal error, or stays in memory.',
  how: `Valid calls of all methods get random changes: bits, bytes, tokens of both protocols, parts of other calls, words of their kind. They go over sixteen connections to the bundled server, ${CALLS} in a run. The memory of the server is looked at from run ${WARM} on.`,
  notPromised: 'Which of several errors is named.',
  goal: 1e6,
  async open() {
    const mutations = await Mutations.start();
    let runs = 0;
    let before = 0;
    return {
      async run(seed) {
        const number = seed.number();
        const faults = await mutations.run(number, 0, CALLS);
        must(faults.length === 0, () => faults.join('\n'));
        must(isAlive(mutations.server.pid), () => 'the server is gone');
        const resident = residentBytes(mutations.server.pid);
        if (++runs === WARM) before = resident;
        const grown = runs <= WARM ? 0 : resident - before;
        must(grown < MAX_GROWTH_BYTES, () => `the server has grown by ${grown} bytes in ${runs - WARM} runs`);
        return { plan: `${number}`, operations: CALLS };
      },
      close: () => mutations.stop(),
    };
  },
};

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

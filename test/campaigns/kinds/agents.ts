import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runAgents } from '../../agents/agent-process.js';
import type { Kind } from '../kind.js';
import { scratchFolder } from '../scratch.js';

/** Lines of one agent in a run. */
const LINES = 500;
const AGENTS = 2;

export const kind: Kind = {
  runs: 'stores',
  operations: 'lines',
  promise:
    'Every request of an agent gets one answer: a result within its budget of bytes, a refusal with a code, or an error of JSON-RPC. Nothing else is on standard output, and nothing ends the process.',
  how: `Two processes of \`quadrille mcp\` share a store, with all tools. Each gets ${LINES} lines at random: calls of all tools with texts of all kinds, wrong inputs, cursors of other calls, resources, prompts, changed bytes, and lines that are no messages.`,
  notPromised: 'Which of several errors is named.',
  goal: 100_000,
  async open() {
    return {
      async run(seed) {
        const numbers = Array.from({ length: AGENTS }, (_, i) => seed.number(`agent ${i}`));
        const folder = scratchFolder();
        try {
          await runAgents(join(folder, 'store'), numbers, LINES);
          return { plan: numbers.join(), operations: AGENTS * LINES };
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    };
  },
};

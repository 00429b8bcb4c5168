/** `npm run -s bench -- generate`: writes generated data as N-Quads to standard output. */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { GeneratorOptions } from './entities.js';
import { generateQuads, nquadsChunks } from './quads.js';

export const GENERATE_USAGE = 'npm run -s bench -- generate --quads N [--graphs N] [--seed N] > data.nq';

export async function generateCommand(args: readonly string[]): Promise<void> {
  const options = generatorOptions(args);
  // A reader may close the pipe when it has enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  for (const chunk of nquadsChunks(generateQuads(options))) {
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
  }
}

export function generatorOptions(args: readonly string[]): GeneratorOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quads: { type: 'string' },
      graphs: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.quads === undefined) throw new Error(`how many quads? ${GENERATE_USAGE}`);
  return {
    quads: wholeNumber('quads', values.quads, 1),
    graphs: wholeNumber('graphs', values.graphs, 0),
    seed: wholeNumber('seed', values.seed, 0),
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`--${name} is a whole number from ${least}, not ${text}`);
}

/**
 * `npm run campaign -- KIND [--seed S] [--minutes N] [--repeat S/I]`, and `npm run campaign -- report`.
 *
 * Without a seed a campaign goes on where the last one of its kind has ended. `--repeat` replays one run, and keeps nothing.
 * The exit code is 0 without faults, 1 with faults, 2 where the call is wrong.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.js';
import { KINDS, kindOf } from './kinds.js';
import { writePage } from './page.js';
import { appendResult, readResults } from './results.js';

const USAGE = `npm run campaign -- KIND [--seed S] [--minutes N] [--repeat S/I]
npm run campaign -- report
KIND is one of ${Object.keys(KINDS).join(' ')}`;
const WRONG_USE = 2;

class WrongUse extends Error {}

function argumentsOf(args: readonly string[]) {
  const told = (() => {
    try {
      return parseArgs({
        args: [...args],
        allowPositionals: true,
        options: { seed: { type: 'string' }, minutes: { type: 'string' }, repeat: { type: 'string' } },
      });
    } catch (error) {
      throw new WrongUse((error as Error).message);
    }
  })();
  const { values, positionals } = told;
  const minutes = Number(values.minutes ?? 1);
  if (positionals.length !== 1 || !(minutes >= 0)) throw new WrongUse('one kind, and minutes as a number');
  if (values.seed !== undefined && !/^[\w-]+$/.test(values.seed)) throw new WrongUse('a seed has letters and digits');
  const repeat = values.repeat === undefined ? undefined : /^([\w-]+)\/([1-9]\d*)$/.exec(values.repeat);
  if (repeat === null) throw new WrongUse('--repeat takes a seed and the number of a run, such as 7/12');
  return { name: positionals[0]!, minutes, seed: values.seed, repeat };
}

/** The commit that is tried, with a plus sign where files differ from it. */
function presentCommit(): string {
  const git = (...args: string[]): string =>
    spawnSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).stdout.trim();
  const results = ':(top,exclude)test/campaigns/results.jsonl';
  const changed = git('status', '--porcelain', '--untracked-files=no', ':/packages', ':/test', results) !== '';
  return git('rev-parse', '--short=8', 'HEAD') + (changed ? '+' : '');
}

/** The seed, and the number of the first run: behind those that were done with it. */
function placeOf(name: string, seed: string | undefined): { seed: string; first: number } {
  const earlier = readResults().filter(({ kind }) => kind === name);
  const taken = seed ?? earlier.at(-1)?.seed ?? String(Date.now() % 1_000_000_000);
  const ends = earlier.filter((result) => result.seed === taken).map(({ first, runs }) => first + runs);
  return { seed: taken, first: Math.max(1, ...ends) };
}

async function main(): Promise<number> {
  const { name, minutes, seed, repeat } = argumentsOf(process.argv.slice(2));
  if (name === 'report') {
    await writePage();
    return 0;
  }
  const kind = await kindOf(name);
  if (kind === undefined) throw new WrongUse(`there is no kind ${name}`);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  const common = {
    name,
    kind,
    commit: presentCommit(),
    signal: stop.signal,
    onFault: (error: Error) => console.error(error.message),
  };
  const repeated = repeat === undefined ? undefined : { seed: repeat[1]!, first: Number(repeat[2]) };
  const faults = await runCampaign({
    ...common,
    ...(repeated ?? placeOf(name, seed)),
    minutes: repeated === undefined ? minutes : 0,
    onResult: (result) => {
      console.log(JSON.stringify(result));
      if (repeated === undefined) appendResult(result);
    },
  });
  return faults > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof WrongUse)) throw error;
  console.error(`${error.message}\n${USAGE}`);
  process.exitCode = WRONG_USE;
}

/** `npm run bench`: measures the workloads of a suite and prints the figures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { Data } from './data.js';
import { generateCommand } from './generate/command.js';
import { jsonReport, tableReport } from './report/report.js';
import { runWorkload } from './run-workload.js';
import { readSettings, USAGE } from './settings.js';
import type { Settings } from './settings.js';
import { loadWorkload, SUITES } from './suites.js';

function namesOf({ suite, only }: Settings): readonly string[] {
  const names = SUITES[suite];
  if (names === undefined) throw new Error(`no suite ${suite}: there is ${Object.keys(SUITES).join(', ')}`);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no workload ${unknown.join(', ')}: there is ${names.join(', ')}`);
  return only.length === 0 ? names : names.filter((name) => only.includes(name));
}

/** Reports an error. The benchmark continues with the rest and ends with an error code. */
function failed(error: unknown): void {
  console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(settings: Settings, names: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(join(settings.scratch, 'quadrille-bench-'));
  // Standard output is for the report only; all other text goes to standard error.
  const say = (text: string): void => console.error(text);
  say(
    `Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, ${settings.runs} runs`,
  );
  try {
    const data = new Data(settings, scratch);
    const report = (settings.json ? jsonReport : tableReport)((line) => console.log(line));
    for (const name of names) {
      const workload = await loadWorkload(name);
      const skipped = (what: string): void => say(`skipped: ${what}`);
      const lines = await runWorkload(workload, data, { ...settings, scratch, skipped, failed }).catch(failed);
      if (lines !== undefined && lines.length > 0) report.add(lines, workload);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function suite(args: readonly string[]): Promise<void> {
  const settings = readSettings(args);
  const names = namesOf(settings);
  await main(settings, names).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}

try {
  const [command, ...rest] = process.argv.slice(2);
  await (command === 'generate' ? generateCommand(rest) : suite(process.argv.slice(2)));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}

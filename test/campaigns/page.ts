/** Writes `docs/reliability.md` from the results: what is promised, how it is tried, how often, and what was found. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import type { Kind } from './kind.js';
import { KINDS, kindOf } from './kinds.js';
import { readResults, type Fault, type Result } from './results.js';

export const PAGE = join(import.meta.dirname, '../../docs/reliability.md');

const INTRODUCTION = `# What was tried, and what was found

A campaign runs random operations on Quadrille for hours or days. It kills the process, cuts the power, damages files, and compares answers. This page is made from
their results. It says what was reached, also where that is less than the aim.

Tests of the suite try a share of each kind with every run. A campaign uses one core, and some kinds use a second one. The rates are those of the machine that ran the
campaigns, which had other work beside them. So the aim divided by the rate is the time that is missing.

The results are lines in \`test/campaigns/results.jsonl\`, each with a seed, a commit and a digest of what was done. Anybody can repeat a run:

\`\`\`sh no-run="it needs a checkout"
npm run setup && npm run build
npm run campaign -- power --minutes 10      # goes on where the last campaign of this kind ended
npm run campaign -- power --repeat 7/12     # replays run 12 of the seed 7, and keeps nothing
npm run campaign -- report                  # makes this page anew
\`\`\`
`;

const number = (value: number): string => value.toLocaleString('en-US');
const sum = (results: readonly Result[], of: (result: Result) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

/** What is counted. Lines of a time when a run had one operation do not name operations. */
const countOf = (kind: Kind, results: readonly Result[]): number =>
  sum(results, ({ runs, operations }) => (kind.operations === undefined ? runs : (operations ?? runs)));

/** How often, in words. */
function countText(kind: Kind, results: readonly Result[]): string {
  const runs = `${number(sum(results, (result) => result.runs))} ${kind.runs}`;
  if (kind.operations === undefined) return runs;
  return `${number(countOf(kind, results))} ${kind.operations} in ${runs}`;
}

const mended = ({ what, commit }: Fault): string =>
  `- ${what.split('\n')[0]!} (${commit === null ? 'not mended yet' : `mended in ${commit}`})`;

function section(name: string, kind: Kind, results: readonly Result[]): string {
  const last = results.at(-1);
  const faults = results.flatMap((result) => result.faults);
  const counted = kind.operations ?? kind.runs;
  const tried =
    last === undefined
      ? 'Not run yet.'
      : `${countText(kind, results)}, in ${number(Math.round(sum(results, ({ minutes }) => minutes)))} minutes${rate(kind, results, counted)}. Last on ${last.day}, at commit \`${last.commit}\`. The aim is ${number(kind.goal)} ${counted}.`;
  return `## ${name}

**Promise.** ${kind.promise}

**How it is tried.** ${kind.how}

**How often.** ${tried}

**Found.** ${faults.length === 0 ? 'Nothing by these runs.' : `\n\n${faults.map(mended).join('\n')}`}

**Not promised.** ${kind.notPromised}

**Go on.** \`npm run campaign -- ${name} --minutes 60\`${last === undefined ? '' : `; repeat one with \`--repeat ${last.seed}/${last.first}\``}
`;
}

/** How many in an hour, by the last line that has enough of them. */
function rate(kind: Kind, results: readonly Result[], counted: string): string {
  const last = results.findLast(({ minutes }) => minutes >= 0.3);
  if (last === undefined) return '';
  const hourly = (countOf(kind, [last]) / last.minutes) * 60;
  return `; lately about ${number(Number(hourly.toPrecision(2)))} ${counted} an hour`;
}

/** The page for these results. */
export async function pageOf(results: readonly Result[]): Promise<string> {
  const sections: string[] = [];
  const rows: string[] = [];
  for (const name of Object.keys(KINDS)) {
    const kind = (await kindOf(name))!;
    const own = results.filter((result) => result.kind === name);
    const faults = own.flatMap((result) => result.faults);
    sections.push(section(name, kind, own));
    rows.push(
      `| [${name}](#${name}) | ${own.length === 0 ? 'not run yet' : countText(kind, own)} | ${number(kind.goal)} | ${faults.length} | ${faults.filter(({ commit }) => commit === null).length} |`,
    );
  }
  const table = `| kind | tried | aim | found | not mended |\n| --- | --- | ---: | ---: | ---: |\n${rows.join('\n')}\n`;
  const { code } = await format(PAGE, [INTRODUCTION, table, ...sections].join('\n'));
  return code;
}

export async function writePage(): Promise<void> {
  writeFileSync(PAGE, await pageOf(readResults()));
}

/** Whether the page is that of the results. */
export const pageIsCurrent = async (): Promise<boolean> => readFileSync(PAGE, 'utf8') === (await pageOf(readResults()));

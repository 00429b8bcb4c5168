/** Runs random cases one after the other; those that fail are made small and told. */
import { PIECE, RUN } from './chance.js';
import type { Outcome } from './check-query.js';
import { shrink } from './shrink.js';

/** Only this case of a run. */
export const ONLY = process.env['QUADRILLE_SPARQL_ONLY'];
/** Failures after which a run ends. */
const MOST_FAILURES = Number(process.env['QUADRILLE_SPARQL_FAILURES'] ?? 3);

export interface Campaign<Case> {
  readonly cases: number;
  readonly caseAt: (index: number) => Case;
  readonly check: (found: Case) => Promise<Outcome>;
  readonly labels: (found: Case) => Iterable<string>;
  readonly print: (found: Case) => string;
}

export interface Summary {
  readonly cases: number;
  readonly failures: readonly string[];
  /** Cases whose answer was not empty. */
  readonly withRows: number;
  /** How many cases have a label. */
  readonly labels: ReadonlyMap<string, number>;
  /** Cases that were not compared with Comunica, by the reason. */
  readonly left: ReadonlyMap<string, number>;
}

export async function run<Case>(campaign: Campaign<Case>): Promise<Summary> {
  const labels = new Map<string, number>();
  const left = new Map<string, number>();
  const failures: string[] = [];
  let withRows = 0;
  const indexes =
    ONLY === undefined ? Array.from({ length: campaign.cases }, (_, i) => PIECE * campaign.cases + i) : [Number(ONLY)];
  for (const index of indexes) {
    const found = campaign.caseAt(index);
    for (const label of campaign.labels(found)) add(labels, label);
    const outcome = await campaign.check(found);
    if (outcome.rows > 0) withRows++;
    if (outcome.left !== undefined) add(left, outcome.left);
    if (outcome.failure === undefined) continue;
    failures.push(await report(campaign, index, found, outcome.failure.kind));
    // At once: a long campaign goes on with the other cases.
    if (MOST_FAILURES > 3) process.stderr.write(`${failures.at(-1)}\n\n`);
    if (failures.length >= MOST_FAILURES) break;
  }
  return { cases: indexes.length, failures, withRows, labels, left };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The smallest case that fails in the same way. */
async function report<Case>(campaign: Campaign<Case>, index: number, found: Case, kind: string): Promise<string> {
  const fails = async (smaller: Case): Promise<boolean> => {
    try {
      return (await campaign.check(smaller)).failure?.kind === kind;
    } catch {
      return false;
    }
  };
  const smallest = kind === 'SPARQL_SYNTAX' ? found : await shrink(found, fails);
  const message = (await campaign.check(smallest)).failure?.message;
  return `${RUN} QUADRILLE_SPARQL_ONLY=${index}: ${kind}\n${campaign.print(smallest)}\n${message}`;
}

/** Very many revisions of one repository: the rate of commits, the space of each, and the cost of reading old ones. */
import { join } from 'node:path';
import { open } from 'quadrille';
import type { ReadView } from 'quadrille';
import { REPOSITORY } from '../../data-sets.js';
import { Random } from '../../generate/random.js';
import { bytesOnDisk, timed } from '../../measure.js';
import {
  beginHistory,
  expectedValue,
  groupOf,
  groupQuery,
  LongHistory,
  subjectNode,
} from '../../scale/long-history.js';
import type { Context, Figure, Figures, Workload } from '../../workload.js';
import { figure } from '../../workload.js';

const LOOKUPS = 5000;
const JOINS = 200;
/**
 * Number of rounds over all views. The smallest time of each view counts, because the differences between them are
 * small.
 */
const ROUNDS = 5;
/** Revision 1 is empty; revision 2 contains all subjects. */
const FIRST = 2;

async function revisions({ scratch, sizes }: Context): Promise<Figures> {
  const path = join(scratch, 'store');
  const { figures: written, middle, late, last } = await write(path, sizes);
  const opened = await timed(() => open(path, { create: false }));
  const db = opened.result;
  const repository = await db.repository(REPOSITORY);
  const views: readonly [name: string, view: ReadView, versions: Uint32Array][] = [
    ['head', repository, last],
    ['first', repository.at(FIRST), new Uint32Array(sizes.subjects)],
    ['middle', repository.at(FIRST + (sizes.revisions >> 1)), middle],
    ['three quarters', repository.at(FIRST + threeQuarters(sizes.revisions)), late],
    ['last', repository.at(FIRST + sizes.revisions), last],
  ];
  const figures: Record<string, Figure> = { ...written, open: figure(opened.seconds * 1000, 'ms') };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, view, versions] of views) keepLeast(figures, await reads(name, view, versions));
  }
  await db.close();
  for (const kind of ['lookup', 'join']) {
    for (const [name] of views.slice(1)) {
      const ratio = figures[`${kind}, ${name}`]!.value / figures[`${kind}, head`]!.value;
      figures[`${kind}, ${name} / head`] = figure(ratio, 'ratio');
    }
  }
  return figures;
}

const threeQuarters = (count: number): number => Math.floor(count * 0.75);

function keepLeast(figures: Record<string, Figure>, measured: Figures): void {
  for (const [name, figure] of Object.entries(measured)) {
    if (figure.value < (figures[name]?.value ?? Number.POSITIVE_INFINITY)) figures[name] = figure;
  }
}

/**
 * Writes the revisions. Returns how often each subject's value was replaced at the middle, a late and the last
 * revision.
 */
async function write(
  path: string,
  { subjects, revisions: count }: Context['sizes'],
): Promise<{ figures: Figures; middle: Uint32Array; late: Uint32Array; last: Uint32Array }> {
  const first = await open(path, { durability: 'process' });
  await beginHistory(await first.repository(REPOSITORY, { create: true }), subjects);
  await first.close();
  const before = await bytesOnDisk(path);
  const db = await open(path, { durability: 'process' });
  const history = new LongHistory(await db.repository(REPOSITORY), subjects);
  let middle = history.versions.slice();
  let late = middle;
  const { seconds } = await timed(async () => {
    for (let made = 0; made < count; made++) {
      if (made === count >> 1) middle = history.versions.slice();
      if (made === threeQuarters(count)) late = history.versions.slice();
      await history.replaceOne();
    }
  });
  await db.close();
  const figures = {
    commits: figure(count / seconds, 'commits/s'),
    bytes: figure(((await bytesOnDisk(path)) - before) / count, 'B/revision'),
  };
  return { figures, middle, late, last: history.versions };
}

/** Reads twice: first to check that the values are those of the revision, then to measure. */
async function reads(name: string, view: ReadView, versions: Uint32Array): Promise<Figures> {
  const random = new Random();
  random.restart(2, 0, 0);
  const subjects = Array.from({ length: LOOKUPS }, () => random.below(versions.length));
  const lookups = async (check: boolean): Promise<void> => {
    for (const subject of subjects) {
      const values: string[] = [];
      for await (const { object } of view.quads({ subject: subjectNode(subject) })) values.push(object.value);
      if (check && !(values.length === 2 && values.includes(expectedValue(subject, versions)))) {
        throw new Error(`${name}: subject ${subject} has ${values.join(' and ')}`);
      }
    }
  };
  const groups = Array.from({ length: JOINS }, () => groupOf(random.below(versions.length), versions.length));
  const joins = async (check: boolean): Promise<void> => {
    for (const group of groups) {
      const rows = await view.select(groupQuery(group)).toArray();
      if (!check) continue;
      for (const { subject, value } of rows) {
        const number = Number(subject!.value.split('/').at(-1));
        if (value!.value !== expectedValue(number, versions)) throw new Error(`${name}: a join gave ${value!.value}`);
      }
      if (rows.length === 0) throw new Error(`${name}: a join gave no rows`);
    }
  };
  await lookups(true);
  const lookup = await timed(() => lookups(false));
  await joins(true);
  const join = await timed(() => joins(false));
  return {
    [`lookup, ${name}`]: figure((lookup.seconds / LOOKUPS) * 1e6, 'µs'),
    [`join, ${name}`]: figure((join.seconds / JOINS) * 1000, 'ms'),
  };
}

export const workload: Workload = {
  name: 'scale-revisions',
  parts: { quadrille: { backend: 'quadrille', needs: [], measure: revisions } },
};

/** Opens the loaded store in a new process: measures the time to the first answer, and the rates of warm reads. */
import { iri } from '@quadrille/model';
import { cpuSeconds, peakBytes, timed } from '../measure.js';
import { AnswerDigest, storedRow } from '../sparql/answer.js';
import { steadyRate } from '../steady-rate.js';
import type { OpenStore, StoreKind } from '../stores/store.js';
import { consumed } from '../stores/streams.js';
import type { Figure, Figures } from '../workload.js';
import { figure } from '../workload.js';
import type { Plan } from './plan.js';

export async function measureReads(kind: StoreKind, directory: string, plan: Plan): Promise<Figures> {
  const store = await kind.open(directory);
  if (!kind.persistent) await store.load(plan.file);
  const [first] = plan.subjects;
  if (first !== undefined) await store.lookup(iri(first), () => {});
  // Measured since the process began. For a store in memory it includes the load.
  const start = { ...figure(performance.now(), 'ms'), meters: { cpuSeconds: cpuSeconds(), peakBytes: peakBytes() } };
  const figures: Record<string, Figure> = { start, scan: await scanRate(store.scan.bind(store)) };
  if (first !== undefined) figures['lookups'] = await lookupRate(plan.subjects, store.lookup.bind(store));
  if (store.match !== undefined) Object.assign(figures, await ratesByMatch(store.match.bind(store), plan.subjects));
  await store.close();
  return figures;
}

async function ratesByMatch(
  match: NonNullable<OpenStore['match']>,
  subjects: readonly string[],
): Promise<Record<string, Figure>> {
  const read: OpenStore['lookup'] = async (subject, visit) => void (await consumed(match(subject), visit));
  const scan = { 'scan by match': await scanRate(async (visit) => void (await consumed(match(), visit))) };
  return subjects.length === 0 ? scan : { ...scan, 'lookups by match': await lookupRate(subjects, read) };
}

/** The first pass computes a digest. Small data are read repeatedly until the figure is meaningful. */
async function scanRate(scan: OpenStore['scan']): Promise<Figure> {
  const digest = new AnswerDigest();
  let rows = 0;
  await scan((quad) => {
    rows++;
    digest.add(storedRow(quad));
  });
  const { result: scans, cpuSeconds } = await timed(() =>
    steadyRate(async () => {
      let again = 0;
      await scan(() => void again++);
      if (again !== rows) throw new Error(`a scan gave ${rows} quads, the next one ${again}`);
    }),
  );
  return {
    ...figure(scans * rows, 'quads/s'),
    answers: [{ rows, digest: digest.value }],
    meters: { cpuSeconds, peakBytes: peakBytes() },
  };
}

/** Looks up one subject after the other, after a first pass that computes a digest. */
export async function lookupRate(subjects: readonly string[], lookup: OpenStore['lookup']): Promise<Figure> {
  const nodes = subjects.map((subject) => iri(subject));
  const digest = new AnswerDigest();
  let rows = 0;
  for (const node of nodes) {
    await lookup(node, (quad) => {
      rows++;
      digest.add(storedRow(quad));
    });
  }
  let at = 0;
  const { result: lookups, cpuSeconds } = await timed(() =>
    steadyRate(() => lookup(nodes[at++ % nodes.length]!, () => {})),
  );
  return {
    ...figure(lookups, 'lookups/s'),
    answers: [{ rows, digest: digest.value }],
    meters: { cpuSeconds, peakBytes: peakBytes() },
  };
}

/** Writers of which the holder is killed again and again, and what is in the store at the end. */
import { open } from 'quadrille';
import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf, median, Writer } from './processes.js';

export interface Kills {
  readonly writers: number;
  readonly writes: number;
  readonly kills: number;
}

export interface KillsReport {
  readonly lost: number;
  readonly doubled: number;
  readonly revisions: number;
  readonly killed: number;
  /** Milliseconds from a kill to the next acknowledged write of another process. */
  readonly takeOverMedian: number;
  readonly takeOverLongest: number;
  readonly writeMedian: number;
  readonly writeLongest: number;
  readonly errors: readonly string[];
}

export async function killHolders(directory: string, { writers: count, writes, kills }: Kills): Promise<KillsReport> {
  let acknowledged = 0;
  let heard: (writer: Writer) => void = () => undefined;
  const writers = Array.from(
    { length: count },
    (_, i) =>
      new Writer(directory, `w${String(i)}`, writes, (writer) => {
        acknowledged++;
        heard(writer);
      }),
  );
  await Promise.all(writers.map((writer) => writer.start()));
  const takeOvers: number[] = [];
  const between = Math.max(1, Math.floor((count * writes) / (kills + 1)));
  for (let i = 1; i <= kills; i++) {
    await until(() => acknowledged >= i * between || writers.every(({ written }) => written >= writes));
    const pid = await holderOf(directory);
    const holder = writers.find((writer) => writer.pid === pid);
    if (holder === undefined) continue;
    const begun = performance.now();
    const others = writers.some((writer) => writer !== holder && writer.written < writes);
    const next = new Promise<void>((resolve) => {
      heard = (writer) => {
        if (writer !== holder) resolve();
      };
    });
    await holder.kill();
    if (others) {
      await Promise.race([next, ...writers.filter((writer) => writer !== holder).map((writer) => writer.failed)]);
      takeOvers.push(performance.now() - begun);
    }
    void holder.start();
  }
  await Promise.all(writers.map(({ done }) => done));
  await Promise.all(writers.map((writer) => writer.end()));
  return { ...(await contentOf(directory, writers, writes)), ...timesOf(writers, takeOvers), killed: takeOvers.length };
}

async function until(holds: () => boolean): Promise<void> {
  if (holds()) return;
  await sleep(2);
  return until(holds);
}

async function contentOf(directory: string, writers: readonly Writer[], writes: number) {
  await using db = await open(directory, { share: false });
  const repo = await db.repository('acme/people');
  const values = new Map<string, number>();
  for await (const { subject } of repo.quads()) values.set(subject.value, (values.get(subject.value) ?? 0) + 1);
  let lost = 0;
  for (const { name } of writers) for (let i = 0; i < writes; i++) if (!values.has(`urn:${name}:${String(i)}`)) lost++;
  const doubled = [...values.values()].filter((n) => n > 1).length;
  return { lost, doubled, revisions: (await repo.revision()).number - 1 };
}

function timesOf(writers: readonly Writer[], takeOvers: readonly number[]) {
  const times = writers.flatMap((writer) => writer.times);
  return {
    takeOverMedian: median(takeOvers),
    takeOverLongest: Math.max(...takeOvers),
    writeMedian: median(times),
    writeLongest: Math.max(...times),
    errors: writers.flatMap(({ errors }) => errors),
  };
}

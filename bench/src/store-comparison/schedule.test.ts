import { describe, expect, it } from 'vitest';
import { noteOutcome } from '../series.js';
import type { Series } from '../series.js';
import { storeNamed } from '../stores/all-stores.js';
import { figure } from '../workload.js';
import { clock, Estimate, inWords } from './estimate.js';
import type { Plan } from './plan.js';
import { announcement } from './report/live.js';
import { Schedule, stepsOf } from './schedule.js';
import type { Step } from './schedule.js';

const [LEVEL, N3] = ['leveldb', 'n3'].map(storeNamed) as [ReturnType<typeof storeNamed>, ReturnType<typeof storeNamed>];
const STORES = [LEVEL, N3];

/** A file of which the sample is a hundredth. */
function planOf(probe: Partial<Plan['probe']> = {}): Plan {
  const data = { source: 'a', quads: 1e6, bytes: 100e6, subjects: 1, predicates: 1, namedGraphs: 0 };
  const whole = { file: 'sample', bytes: 1e6, loadMs: 4000, queriesMs: [1, 1000, 9000], ...probe };
  return { file: 'a', data, subjects: [], queries: [], probe: whole };
}
const PROBES = new Map([
  ['leveldb', { startMs: 200, loadMs: 100 }],
  ['n3', { startMs: 100, loadMs: 300 }],
]);

describe('the estimate', () => {
  const estimate = new Estimate(planOf(), PROBES, 'leveldb');

  it('scales the sample by what the load of all data took, not by bytes: code is compiled meanwhile', () => {
    expect(estimate.ms(LEVEL, 'load')).toBe(200 + 4000);
    expect(estimate.ms(N3, 'load')).toBe(100 + 12_000);
    const small = new Estimate(planOf({ bytes: 100e6, loadMs: 1 }), PROBES, 'leveldb');
    expect(small.ms(LEVEL, 'load')).toBe(200 + 100);
  });

  it('counts the load that a store in memory needs before each phase, and each query by its first run', () => {
    expect(estimate.ms(LEVEL, 'queries')).toBe(200 + 200 + 5000 + 9000);
    expect(estimate.ms(N3, 'write') - estimate.ms(LEVEL, 'write')).toBeGreaterThan(11_000);
  });

  it('has an answer for a store that could not be probed', () => {
    expect(new Estimate(planOf(), new Map(), 'leveldb').ms(LEVEL, 'load')).toBeGreaterThan(0);
  });

  it('is said as one says times', () => {
    expect([400, 8400, 43_000, 100_000, 754_000, 5_400_000].map(inWords)).toEqual([
      '1 second',
      '8 seconds',
      '45 seconds',
      '1.5 minutes',
      '13 minutes',
      '1.5 hours',
    ]);
    expect([7000, 754_000].map(clock)).toEqual(['0:07', '12:34']);
  });
});

describe('the schedule', () => {
  const runs = { least: 2, most: 5, spread: 0.05 };
  const scheduleOf = (steps: readonly Step[]): Schedule =>
    new Schedule(steps, runs, new Estimate(planOf(), PROBES, 'leveldb'));

  it('has a phase of each store, then the next phase, with the loads that other phases need', () => {
    const names = (phases: Parameters<typeof stepsOf>[1]): string[] =>
      stepsOf(STORES, phases).map(({ store, phase }) => `${store.name} ${phase}`);
    expect(names(['load', 'read'])).toEqual(['leveldb load', 'n3 load', 'leveldb read', 'n3 read']);
    expect(names(['queries'])).toEqual(['leveldb load', 'leveldb queries']);
  });

  it('repeats what varies, within a share of the time, and nothing that took too long or failed', () => {
    const steps = stepsOf(STORES, ['load', 'read']);
    const schedule = scheduleOf(steps);
    const series = new Map<string, Series>();
    const note = (step: Step, value: number): void => {
      const figures = { [step.phase]: figure(value, 'ms') };
      noteOutcome(series, step.store.name, { figures, cpuSeconds: 1, peakBytes: 1 });
      schedule.note(step, step === steps[3] ? 121_000 : 0, [step.phase]);
    };
    const [steady, varying, failed, long] = steps as [Step, Step, Step, Step];
    for (const [run, values] of [
      [100, 100],
      [102, 150],
    ].entries()) {
      note(steady, values[0]!);
      note(varying, values[1]!);
      if (run === 0) note(long, 1);
      schedule.end(failed);
      expect(steps.map((step) => schedule.isDue(step, run + 1))).toEqual([true, true, false, false]);
      schedule.endOfRun(run, series.values());
    }
    expect(steps.map((step) => schedule.hasEnded(step))).toEqual([true, false, true, true]);
    expect(schedule.errorOf(varying, series.values())).toBeCloseTo(0.2);
    // The two runs took no time, so that a share of it is soon used up.
    schedule.note(varying, 60_000, ['load']);
    expect(schedule.isDue(varying, 2)).toBe(false);
  });

  it('says before it begins how long it will take, and what a limit cuts off', () => {
    const schedule = scheduleOf(stepsOf(STORES, ['load']));
    expect(announcement(schedule, { stores: STORES })).toBe(
      'This takes about 35 to 40 seconds: 2 stores, 2 measurements, 2 to 5 runs of each. Ctrl+C ends it with a report.',
    );
    expect(announcement(schedule, { stores: STORES, limitMs: 6000 })).toMatch(
      / --minutes ends it after 6 seconds, with what it has by then\.$/,
    );
    expect(schedule.left(schedule.steps[1]!, 1)).toBe(12_100);
  });
});

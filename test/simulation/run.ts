/** One schedule: a seed decides all of it. */
import type { Repository } from '@quadrille/core';
import { seededRandom } from '@quadrille/storage/testing';
import { check } from '../model/check.js';
import { below, type Operation, perform } from '../model/operations.mjs';
import { FORMS } from './disk.js';
import { move } from './elsewhere.js';
import { setShapes } from './guard.js';
import { checkStore } from './invariants.js';
import { hex } from './ledger.js';
import { type Plan, planOf } from './plan.js';
import { checkQuiet } from './quiet.js';
import { linesOf } from './shapes-model.js';
import { begin, endErasures, KINDS } from './workload.js';
import { NAMES, type Server, World } from './world.js';

export interface Ran {
  /** What was done and what came of it. */
  readonly journal: readonly string[];
  readonly steps: number;
  /** Calls of the storage, and those of them that have failed. */
  readonly calls: number;
  readonly failed: number;
  /** Changes that shapes have let through, and those that they have refused. */
  readonly guarded: World['guarded'];
}

export interface RunOptions {
  /** Replaces parts of the plan. */
  readonly plan?: (plan: Plan) => Plan;
  /** Gets each call of the storage. */
  readonly trace?: ((line: string) => void) | undefined;
}

/**
 * Modules that are loaded when they are first needed would come at any time. So everything is done once before, and what comes of it does
 * not matter.
 */
let rehearsal: Promise<void> | undefined;

/** Shapes that the steps of a rehearsal violate, with queries. */
const REHEARSED = { rules: ['few 2', 'apart', 'shared'], mode: 'refuse', since: 'now', changes: true } as const;
const BAD = { kind: 'change', added: ['<a:s0> <a:p0> "bad" .', '<a:s0> <a:p1> "bad" .'], removed: [] } as const;

async function rehearse(): Promise<void> {
  // First, because what a service does behind an answer may outlast its world.
  await rehearseGuest();
  for (const form of FORMS) {
    const plan = planOf(seededRandom(1), KINDS);
    const world = new World({ ...plan, disk: { ...plan.disk, form }, faults: 0, shapes: REHEARSED }, 1);
    await inTimeOf(world, async () => {
      await create(world);
      const repository = await world.repository(world.writer!, NAMES[0]);
      await world.now(perform(repository, BAD).catch(() => undefined));
      for (const kind of [...KINDS.keys(), 'reopen']) {
        await begin(world, kind);
        await world.settle().catch(() => undefined);
      }
      await endLife(world);
    }).catch(() => undefined);
  }
}

/** Repositories with shapes have no guests. */
async function rehearseGuest(): Promise<void> {
  const plan = planOf(seededRandom(1), KINDS);
  const world = new World({ ...plan, disk: { ...plan.disk, form: FORMS[0] }, faults: 0, shapes: undefined }, 1);
  await inTimeOf(world, async () => {
    await create(world);
    for (const kind of [...KINDS.keys()].filter((each) => each.startsWith('guest')).concat('reopen')) {
      await begin(world, kind);
      await world.settle();
    }
    await endLife(world);
  });
}

async function inTimeOf<T>(world: World, work: () => Promise<T>): Promise<T> {
  world.time.takeOver();
  try {
    return await work();
  } finally {
    world.time.giveBack();
  }
}

/** @throws Error where something is wrong with the product, with what was done before */
export async function runSchedule(seed: number, options: RunOptions = {}): Promise<Ran> {
  rehearsal ??= rehearse();
  await rehearsal;
  return runOnce(seed, options);
}

async function runOnce(seed: number, { plan = (made) => made, trace }: RunOptions): Promise<Ran> {
  const world = new World(plan(planOf(seededRandom(seed ^ 0x5eed), KINDS)), seed);
  world.calls.trace = trace;
  try {
    await inTimeOf(world, () => live(world));
  } catch (error) {
    const message = `${(error as Error).message}\n${describe(world.plan)}\nafter\n  ${world.journal.slice(-60).join('\n  ')}`;
    throw new Error(message, { cause: error });
  }
  const { count, failed } = world.calls;
  const { journal, guarded } = world;
  return { journal, steps: world.plan.steps, calls: count, failed, guarded };
}

const describe = ({ disk, steps, faults, kinds }: Plan): string =>
  `${disk.form} getSync=${disk.getSync} steps=${steps} faults=${faults} kinds=${[...new Set(kinds)].join()}`;

async function live(world: World): Promise<void> {
  const { calls, plan, random } = world;
  await create(world);
  calls.holds = true;
  calls.faults = plan.faults;
  calls.faultRate = plan.faultRate;
  calls.onlyWritesFail = plan.onlyWritesFail;
  calls.slowReads = plan.slowReads;
  for (let step = 0; step < plan.steps; step++) {
    await begin(world, world.pick(plan.kinds));
    let isHeard = world.chance(0.7) && (await world.pass(below(random, 40)));
    // Whoever comes when a call has failed finds the others in their work.
    while (world.fault === undefined && world.running >= plan.atOnce && !isHeard) isHeard = await world.pass(10);
    if (world.fault !== undefined) throw world.fault;
  }
  calls.faults = 0;
  calls.full = false;
  await world.settle();
  await endLife(world);
}

/** Makes the store and its repositories. */
async function create(world: World): Promise<void> {
  world.calls.holds = false;
  await world.start();
  for (const name of NAMES) await world.now(world.writer!.store.repository(name, true));
  if (world.plan.shapes !== undefined) for (const name of NAMES) await world.now(addShapes(world, name));
  if (world.plan.loads === 0) return;
  for (let left = world.plan.loads; left > 0; left--) await begin(world, 'load');
  await world.settle();
  // What is read from now on is not in memory.
  await world.end(world.writer!);
  await world.start();
}

async function addShapes(world: World, name: string): Promise<void> {
  const shapes = world.plan.shapes!;
  const repository = await world.repository(world.writer!, name);
  const change = { kind: 'change', added: linesOf(shapes.rules), removed: [] } as const;
  await acknowledged(world, repository, change);
  await setShapes(repository, shapes);
}

/** Makes a change that has to succeed. */
async function acknowledged(world: World, repository: Repository, change: Operation): Promise<void> {
  const label = `c${world.ledger.jobs.size + 1}`;
  world.ledger.job(label, change);
  const revision = await perform(repository, change, { message: label });
  world.ledger.books.get(repository.name)!.acknowledge(label, 'main', revision);
}

/** After the last fault the store works again, and another process finds all that was acknowledged. */
async function endLife(world: World): Promise<void> {
  const { calls, plan, writer } = world;
  calls.holds = false;
  if (writer !== undefined) {
    // A shared store may have another writer now.
    if (world.plan.disk.form !== 'shared') await lastFault(world, () => goOn(world, writer));
    // After a failed write what nobody waits for may still be read.
    const { engine } = writer.store;
    const isQuiet = await world.time.passUntil(() => engine.openIterators === 0);
    check(isQuiet, () => `${engine.openIterators} ranges are open`);
    if (world.chance(0.5)) world.kill(writer);
    else await world.end(writer);
  }
  for (const other of world.others) await world.end(other);
  await world.start();
  await world.now(endMoves(world, world.writer!));
  await world.now(goOn(world, world.writer!));
  await world.now(checkStore(world, world.writer!));
  if (world.chance(plan.quiet)) await checkQuiet(world);
  await world.end(world.writer!);
  if (world.fault !== undefined) throw world.fault;
}

/** A call that nobody has waited for may still fail. Then it works once more. */
async function lastFault(world: World, work: () => Promise<void>): Promise<void> {
  try {
    await world.now(work());
  } catch (error) {
    if (!world.excuses(String((error as { code?: unknown }).code))) throw error;
    await world.now(work());
  }
}

/** What was begun can be ended, and each repository that was not deleted can be opened. */
async function endMoves(world: World, server: Server): Promise<void> {
  for (const kept of world.kept.filter((each) => each.move !== undefined)) await move(world, server, kept);
  for (const { name, id } of world.kept) {
    const { head } = await server.store.repository(name);
    check(hex(head.id) === id, () => `${name} was cloned, and ends with another revision`);
  }
  await (await world.elsewhere)?.close();
}

/** Each repository takes changes, and what was begun is ended. */
async function goOn(world: World, server: Server): Promise<void> {
  // Readers wait for somebody who writes.
  await server.store.engine.recover();
  for (const name of NAMES) {
    await endErasures(world, server, name);
    const repository = await world.repository(server, name);
    await acknowledged(world, repository, { kind: 'change', added: ['<a:last> <a:p> <a:o> .'], removed: [] });
  }
}

// Hostile requests against the bundled server with heaps of 512 and of 256 MB: it lives, stays small and answers others, and each request
// ends in time with the right status. A run sends a share of them, which QUADRILLE_SEED chooses. QUADRILLE_KILLERS=all sends all of them,
// QUADRILLE_KILLERS=<expression> those whose names match; QUADRILLE_SEED repeats a run.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '@quadrille/storage/testing';
import { ALL } from './all.js';
import { type Killer, TIMEOUT_MS } from './killer.js';
import { halfRequest, slowReader, vanishingReader } from './readers.js';
import { type Outcome, send, watchHealth } from './request.js';
import { killersTarget, type Target } from './server.js';

const HEAPS_MEGABYTES = [512, 256];
/** The process may be so many times as large as its heap. */
const MOST_RESIDENT = 2.2;
const SHARE = 8;
const AT_ONCE = 32;

const WHICH = process.env['QUADRILLE_KILLERS'] ?? '';
/** A run of the whole suite shares its cores with other tests, so it has more time than one that is asked for. */
const SLOWER = WHICH === '' ? 4 : 1;
const HEALTH_MS = 500 * SLOWER;
/** What a request may take beyond its time. */
const GRACE_MS = 1000 * SLOWER;
const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);

const random = seededRandom(SEED);
/** Some of all, each at most once. */
function some(count: number): Killer[] {
  const rest = [...ALL];
  return Array.from({ length: count }, () => rest.splice(Math.floor(random() * rest.length), 1)[0]!);
}

function chosen(): readonly Killer[] {
  if (WHICH === '') return some(SHARE);
  return WHICH === 'all' ? ALL : ALL.filter(({ name }) => new RegExp(WHICH).test(name));
}

/** What is wrong with an outcome. */
function faults({ statuses }: Killer, { status, broken, milliseconds }: Outcome, mostMs: number): string[] {
  const wrong: string[] = [];
  if (!statuses.includes(status) && !(broken && status === 200)) wrong.push(`status ${String(status)}`);
  if (milliseconds > mostMs) wrong.push(`${String(milliseconds)} ms`);
  return wrong;
}

test('there are ninety of them', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(90);
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
});

describe.each(HEAPS_MEGABYTES)('with a heap of %i MB', (heapMegabytes) => {
  let target: Target;
  beforeAll(async () => {
    console.log(`killers: QUADRILLE_SEED=${String(SEED)}`);
    target = await killersTarget(heapMegabytes);
  });
  afterAll(() => target.stop());

  function checkServer(healthMs: number): string[] {
    const wrong: string[] = [];
    if (!target.lives()) wrong.push('the server died');
    if (healthMs > HEALTH_MS) wrong.push(`/health took ${String(healthMs)} ms`);
    if (target.lives() && target.peakBytes() > MOST_RESIDENT * heapMegabytes * 1024 ** 2)
      wrong.push(`${String(target.peakBytes() >> 20)} MB resident`);
    return wrong;
  }

  test('one after the other', async () => {
    const wrong: string[] = [];
    for (const killer of chosen()) {
      const body = killer.text();
      const health = watchHealth(target);
      const outcome = await send(target, killer, body);
      const healthMs = await health.stop();
      const found = [...faults(killer, outcome, TIMEOUT_MS + GRACE_MS), ...checkServer(healthMs)];
      const { name, status, code } = outcome;
      if (WHICH !== '') console.log(lineOf(outcome, healthMs), sizeOf(target), ...found);
      if (found.length > 0) wrong.push(`${name}: ${found.join(', ')} (${String(status)} ${String(code)})`);
      if (!target.lives()) target = await killersTarget(heapMegabytes);
    }
    expect(wrong).toEqual([]);
  }, 1_200_000);

  test('thirty-two at once', async () => {
    const killers = some(AT_ONCE);
    const bodies = killers.map((killer) => killer.text());
    const health = watchHealth(target);
    const outcomes = await Promise.all(killers.map((killer, i) => send(target, killer, bodies[i]!)));
    const healthMs = await health.stop();
    // Those that wait for their turn may be told to come again.
    const mostMs = 10_000 * SLOWER + TIMEOUT_MS + GRACE_MS;
    const wrong = outcomes.flatMap((outcome, i) => {
      const killer = killers[i]!;
      const found = faults({ ...killer, statuses: [...killer.statuses, 503, 507] }, outcome, mostMs);
      return found.length === 0 ? [] : [`${killer.name}: ${found.join(', ')}`];
    });
    if (WHICH !== '') console.log(`at once: health ${String(healthMs)} ms, ${sizeOf(target)}`);
    expect([...wrong, ...checkServer(healthMs)]).toEqual([]);
  }, 120_000);

  test('readers that take nothing or go away, requests that never end', async () => {
    const health = watchHealth(target);
    const half = await Promise.all(Array.from({ length: 16 }, () => halfRequest(target)));
    const slow = [slowReader(target), slowReader(target)];
    for (let i = 0; i < 16; i++) await vanishingReader(target, i * 20);
    await Promise.all(slow);
    for (const socket of half) socket.destroy();
    await expect.poll(() => running(target), { timeout: 3000 }).toEqual([]);
    expect(checkServer(await health.stop())).toEqual([]);
  }, 60_000);
});

const lineOf = ({ name, status, code, broken, milliseconds }: Outcome, healthMs: number): string =>
  [name, status, code, broken ? 'broken off' : '', `${String(milliseconds)} ms, health ${String(healthMs)} ms`].join(
    ' | ',
  );

const sizeOf = (target: Target): string => (target.lives() ? `${String(target.peakBytes() >> 20)} MB` : 'dead');

async function running(target: Target): Promise<unknown> {
  const response = await fetch(`${target.url}/queries`, { headers: { Authorization: `Bearer ${target.token}` } });
  return response.json();
}

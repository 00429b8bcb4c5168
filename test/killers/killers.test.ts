// Hostile requests against the bundled server with a heap of 512 MB: it lives, stays small and answers others, and each request ends in
// time with the right status. A run sends a share of them, another one each time. QUADRILLE_KILLERS=all sends all of them,
// QUADRILLE_KILLERS=<expression> those whose names match; QUADRILLE_KILLERS_SEED repeats a run.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '@quadrille/storage/testing';
import { joins, paths, updates } from './joins.js';
import { type Killer, TIMEOUT_MS } from './killer.js';
import { halfRequest, slowReader, vanishingReader } from './readers.js';
import { type Outcome, send, watchHealth } from './request.js';
import { killersTarget, type Target } from './server.js';
import { nesting, parts, tokens } from './syntax.js';
import { expressions, floods, longTexts, numbers, strings } from './values.js';

const FAMILIES = { nesting, tokens, parts, strings, longTexts, numbers, floods, expressions, joins, paths, updates };
const ALL: readonly Killer[] = Object.values(FAMILIES).flat();

const HEAP_MEGABYTES = 512;
const MOST_RESIDENT = 1.1 * 1024 ** 3;
const SHARE = 12;
const AT_ONCE = 32;

const WHICH = process.env['QUADRILLE_KILLERS'] ?? '';
const HEALTH_MS = 500;
/** What a request may take beyond its time. */
const GRACE_MS = 1000;
const SEED = Number(process.env['QUADRILLE_KILLERS_SEED'] ?? Date.now() % 2 ** 31);

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

let target: Target;
beforeAll(async () => {
  console.log(`killers: QUADRILLE_KILLERS_SEED=${String(SEED)}`);
  target = await killersTarget(HEAP_MEGABYTES);
});
afterAll(() => target.stop());

/** What is wrong with an outcome. */
function faults({ statuses }: Killer, { status, broken, milliseconds }: Outcome, mostMs: number): string[] {
  const wrong: string[] = [];
  if (!statuses.includes(status) && !(broken && status === 200)) wrong.push(`status ${String(status)}`);
  if (milliseconds > mostMs) wrong.push(`${String(milliseconds)} ms`);
  return wrong;
}

function checkServer(healthMs: number): string[] {
  const wrong: string[] = [];
  if (!target.lives()) wrong.push('the server died');
  if (healthMs > HEALTH_MS) wrong.push(`/health took ${String(healthMs)} ms`);
  if (target.lives() && target.peakBytes() > MOST_RESIDENT)
    wrong.push(`${String(target.peakBytes() >> 20)} MB resident`);
  return wrong;
}

test('there are ninety of them', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(90);
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
});

test('one after the other', async () => {
  const wrong: string[] = [];
  for (const killer of chosen()) {
    const body = killer.text();
    const health = watchHealth(target);
    const outcome = await send(target, killer, body);
    const healthMs = await health.stop();
    const found = [...faults(killer, outcome, TIMEOUT_MS + GRACE_MS), ...checkServer(healthMs)];
    const { name, status, code, broken, milliseconds } = outcome;
    const line = [
      name,
      status,
      code,
      broken ? 'broken off' : '',
      `${String(milliseconds)} ms, health ${String(healthMs)} ms`,
    ];
    if (WHICH !== '')
      console.log(line.join(' | '), target.lives() ? `${String(target.peakBytes() >> 20)} MB` : 'dead', ...found);
    if (found.length > 0) wrong.push(`${name}: ${found.join(', ')} (${String(status)} ${String(code)})`);
    if (!target.lives()) target = await killersTarget(HEAP_MEGABYTES);
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
  const mostMs = 10_000 + TIMEOUT_MS + GRACE_MS;
  const wrong = outcomes.flatMap((outcome, i) => {
    const killer = killers[i]!;
    const found = faults({ ...killer, statuses: [...killer.statuses, 503, 507] }, outcome, mostMs);
    return found.length === 0 ? [] : [`${killer.name}: ${found.join(', ')}`];
  });
  if (WHICH !== '') console.log(`at once: health ${String(healthMs)} ms, ${String(target.peakBytes() >> 20)} MB`);
  expect([...wrong, ...checkServer(healthMs)]).toEqual([]);
}, 60_000);

test('readers that take nothing or go away, requests that never end', async () => {
  const health = watchHealth(target);
  const half = await Promise.all(Array.from({ length: 16 }, () => halfRequest(target)));
  const slow = [slowReader(target), slowReader(target)];
  for (let i = 0; i < 16; i++) await vanishingReader(target, i * 20);
  await Promise.all(slow);
  for (const socket of half) socket.destroy();
  await expect.poll(() => running(), { timeout: 3000 }).toEqual([]);
  expect(checkServer(await health.stop())).toEqual([]);
}, 60_000);

async function running(): Promise<unknown> {
  const response = await fetch(`${target.url}/queries`, { headers: { Authorization: `Bearer ${target.token}` } });
  return response.json();
}

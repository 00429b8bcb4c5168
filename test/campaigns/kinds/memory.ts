import { ALL } from '../../killers/all.js';
import { hostileLoad } from '../../killers/hostile-loads.js';
import { send, watchHealth } from '../../killers/request.js';
import { killersTarget, type Target } from '../../killers/server.js';
import { type Kind, must } from '../kind.js';

const HEAPS_MEGABYTES = [256, 512] as const;
/** The process may be so many times as large as its heap. */
const MOST_RESIDENT = 2.2;
/** A query of a run may take so long, or less: its end comes at any moment of its work. */
const MOST_TIMEOUT_MS = 1000;
const LEAST_TIMEOUT_MS = 100;
/** What a request may take beyond its time, on a machine that has other work. */
const GRACE_MS = 8000;
const HEALTH_MS = 4000;
/** Requests of a run that are sent at once. */
const AT_ONCE = 4;
/** One in so many runs sends a document. */
const LOADS = 6;

export const kind: Kind = {
  runs: 'runs',
  operations: 'requests',
  promise:
    'No query, update or document ends the process or fills its memory. It is answered, refused, or ended with QUERY_MEMORY, QUERY_TIMEOUT or STORAGE_FULL, and others are answered meanwhile.',
  how: `The bundled server, in processes with heaps of ${HEAPS_MEGABYTES.join(' and ')} MB. Each run sends ${AT_ONCE} hostile queries and updates at once, or a document with terms without end, deep nesting, entities, or compressed zeros. The status has to be right. The process has to live, to stay below ${MOST_RESIDENT} times its heap, and to answer \`/health\` all the time.`,
  notPromised: 'Which of its limits ends a query that reaches two of them.',
  goal: 20_000,
  async open() {
    const targets = new Map<number, Target>();
    const targetOf = async (heap: number): Promise<Target> => {
      const target = targets.get(heap) ?? (await killersTarget(heap));
      targets.set(heap, target);
      return target;
    };
    return {
      async run(seed) {
        const random = seed.random();
        const heap = HEAPS_MEGABYTES[seed.index % HEAPS_MEGABYTES.length]!;
        const target = await targetOf(heap);
        const health = watchHealth(target);
        const plan: string[] = [];
        const wrong: string[] = [];
        let operations = 1;
        if (seed.index % LOADS === 0) {
          const sent = await hostileLoad(target, random);
          plan.push(sent.name);
          if (sent.wrong !== undefined) wrong.push(`${sent.name}: ${sent.wrong}`);
        } else {
          const killers = Array.from({ length: AT_ONCE }, () => ALL[Math.floor(random() * ALL.length)]!);
          operations = AT_ONCE;
          const timeoutMs = LEAST_TIMEOUT_MS + Math.floor(random() ** 2 * (MOST_TIMEOUT_MS - LEAST_TIMEOUT_MS));
          const bodies = killers.map((killer) => killer.text());
          plan.push(`${timeoutMs} ms`, ...killers.map(({ name }) => name));
          const outcomes = await Promise.all(killers.map((killer, i) => send(target, killer, bodies[i]!, timeoutMs)));
          for (const [i, { status, code, broken, milliseconds }] of outcomes.entries()) {
            const { name, statuses } = killers[i]!;
            // Those that wait for their turn may be told to come again.
            const isRight = [...statuses, 503, 507].includes(status) || (broken && status === 200);
            if (!isRight) wrong.push(`${name}: ${status} ${code}`);
            if (milliseconds > AT_ONCE * timeoutMs + GRACE_MS) wrong.push(`${name}: ${milliseconds} ms`);
          }
        }
        const healthMs = await health.stop();
        const alive = target.lives();
        if (!alive) {
          wrong.push('the server died');
          targets.delete(heap);
        } else if (target.peakBytes() > MOST_RESIDENT * heap * 1024 ** 2) {
          wrong.push(`${target.peakBytes() >> 20} MB resident`);
          targets.delete(heap);
          await target.stop();
        }
        if (alive && healthMs > HEALTH_MS) wrong.push(`/health took ${healthMs} ms`);
        must(wrong.length === 0, () => `heap of ${heap} MB: ${wrong.join('; ')} (${plan.join(', ')})`);
        return { plan: plan.join('\n'), operations };
      },
      async close() {
        for (const target of targets.values()) await target.stop();
      },
    };
  },
};

import { describe, expect, test } from 'vitest';
import { type Entrant, FairQueue, type FairQueueLimits, type Place } from './index.js';

const LIMITS: FairQueueLimits = {
  places: 2,
  placesPerParty: 2,
  waiting: 100,
  waitingPerParty: 100,
  waitingBytes: 1000,
  waitMs: Infinity,
};
const queueOf = (limits: Partial<FairQueueLimits> = {}): FairQueue =>
  new FairQueue('queries', { ...LIMITS, ...limits });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const refused = expect.objectContaining({ code: 'QUERY_QUEUE_FULL' });

/** Places in the order in which they were given. */
class Line {
  readonly given: { readonly party: string; readonly place: Place }[] = [];

  constructor(private readonly queue: FairQueue) {}

  enter(party: string, more: Partial<Entrant> = {}): Promise<unknown> {
    return (async () => {
      const place = await this.queue.enter({ party, ...more });
      this.given.push({ party, place });
    })();
  }

  get order(): string {
    return this.given.map(({ party }) => party).join('');
  }
}

test('so many work at once, in all and of one party; a free place is given at once', async () => {
  const queue = queueOf({ places: 3 });
  expect(queue.enter({ party: 'z' })).not.toBeInstanceOf(Promise);
  const line = new Line(queue);
  for (const party of 'aaab') void line.enter(party);
  await turn();
  expect(line.order).toBe('aa');
  expect([queue.working, queue.waiting]).toEqual([3, 2]);
  // The place of a party that has all of its own helps the others.
  const other = queueOf({ places: 3, placesPerParty: 1 });
  const second = new Line(other);
  for (const party of 'aabc') void second.enter(party);
  await turn();
  expect(second.order).toBe('abc');
  expect(other.waiting).toBe(1);
});

test('a place that is given back twice counts once', async () => {
  const queue = queueOf({ places: 1, placesPerParty: 1 });
  const line = new Line(queue);
  for (const party of 'abc') void line.enter(party);
  await turn();
  line.given[0]!.place.leave(1);
  line.given[0]!.place.leave(1);
  await turn();
  expect(line.order).toBe('ab');
  expect(queue.working).toBe(1);
});

describe('turns', () => {
  /** Lets everybody work one after the other; `costs` has the milliseconds of each party. */
  async function worked(names: string, costs: Readonly<Record<string, number>>, steps: number): Promise<string> {
    const queue = queueOf({ places: 1, placesPerParty: 1, waiting: 1000, waitingPerParty: 1000 });
    const line = new Line(queue);
    for (const party of names) void line.enter(party);
    for (let i = 0; i < steps; i++) {
      await turn();
      const { party, place } = line.given[i]!;
      place.leave(costs[party]!);
    }
    await turn();
    return line.order;
  }

  test('parties take turns, however many of one wait', async () => {
    const order = await worked('aaaaaabbc', { a: 100, b: 100, c: 100 }, 8);
    expect(order.slice(0, 3)).toMatch(/^a(bc|cb)$/);
    expect(order).toHaveLength(9);
  });

  test('a party with long work gets fewer turns: the time is shared, not the turns', async () => {
    const order = await worked('l'.repeat(20) + 's'.repeat(90), { l: 1000, s: 100 }, 66);
    const long = [...order].filter((party) => party === 'l').length;
    expect(long * 1000).toBeGreaterThan(0.6 * (order.length - long) * 100);
    expect(long * 1000).toBeLessThan(1.7 * (order.length - long) * 100);
  });

  test('who left long ago owes nothing', async () => {
    const queue = queueOf({ places: 1, placesPerParty: 1 });
    (queue.enter({ party: 'a' }) as Place).leave(60_000);
    const line = new Line(queue);
    for (const party of 'abab') void line.enter(party);
    for (let i = 0; i < 3; i++) {
      await turn();
      line.given[i]!.place.leave(1);
    }
    await turn();
    // With its debt it would come last.
    expect(line.order.endsWith('b')).toBe(true);
  });
});

describe('refusals', () => {
  test('too many of one party, too many in all, too many bytes', async () => {
    const queue = queueOf({ places: 1, waitingPerParty: 2, waiting: 3 });
    const line = new Line(queue);
    for (const party of 'aaab') void line.enter(party, { bytes: 100 });
    await turn();
    expect(() => queue.enter({ party: 'a' })).toThrow(refused);
    expect(() => queue.enter({ party: 'c' })).toThrow(refused);
    expect(queue.refused).toBe(2);
    line.given[0]!.place.leave(1);
    await turn();
    expect(() => queue.enter({ party: 'b', bytes: 200 })).toThrow(/memory/);
    void line.enter('b', { bytes: 100 });
    await turn();
    expect(queue.waiting).toBe(3);
  });

  test('who waited too long, with the seconds after which it makes sense to come again', async () => {
    const queue = queueOf({ places: 1, waitMs: 30 });
    queue.enter({ party: 'a' });
    const failing = [queue.enter({ party: 'a' }), queue.enter({ party: 'b' })];
    const late = { code: 'QUERY_QUEUE_FULL', details: { retryAfter: 1 } };
    await Promise.all(failing.map((entered) => expect(entered).rejects.toMatchObject(late)));
    expect([queue.working, queue.waiting]).toEqual([1, 0]);
    // A party may be more patient than the queue.
    const patient = queue.enter({ party: 'b', waitMs: Infinity });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(queue.waiting).toBe(1);
    await expect(Promise.race([patient, turn()])).resolves.toBeUndefined();
  });

  test('the seconds follow the rate at which places become free', async () => {
    const queue = queueOf({ places: 1, waiting: 20 });
    const line = new Line(queue);
    for (let i = 0; i < 21; i++) void line.enter('a');
    for (let i = 0; i < 4; i++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      line.given[i]!.place.leave(1);
      void line.enter('a');
    }
    let retryAfter: unknown;
    try {
      queue.enter({ party: 'a' });
    } catch (error) {
      ({ retryAfter } = (error as { details: { retryAfter: unknown } }).details);
    }
    expect(retryAfter).toBeGreaterThanOrEqual(2);
    expect(retryAfter).toBeLessThanOrEqual(15);
  });
});

describe('those that end while they wait', () => {
  const ending = (): {
    readonly onEnd: NonNullable<Entrant['onEnd']>;
    end: (error: Error) => void;
    listeners: number;
  } => {
    const listeners = new Set<(error: Error) => void>();
    return {
      onEnd(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      end: (error) => listeners.forEach((listener) => listener(error)),
      get listeners() {
        return listeners.size;
      },
    };
  };

  test('leave the line and give their bytes back', async () => {
    const queue = queueOf({ places: 1, waitMs: 20 });
    const first = queue.enter({ party: 'a' }) as Place;
    const client = ending();
    const waiting = queue.enter({ party: 'a', bytes: 250, onEnd: client.onEnd });
    const next = queue.enter({ party: 'a', waitMs: Infinity });
    expect(() => queue.enter({ party: 'a', bytes: 1 })).toThrow(refused);
    client.end(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect([queue.waiting, client.listeners]).toEqual([1, 0]);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(queue.waiting).toBe(1);
    first.leave(1);
    (await next).leave(1);
    expect([queue.working, queue.waiting]).toEqual([0, 0]);
  });

  test('had ended before they came', async () => {
    const queue = queueOf({ places: 1, waitMs: 10 });
    queue.enter({ party: 'a' });
    const patient = queue.enter({ party: 'a', waitMs: Infinity });
    const onEnd: Entrant['onEnd'] = (listener) => {
      listener(new Error('gone'));
      return () => undefined;
    };
    await expect(queue.enter({ party: 'a', onEnd })).rejects.toThrow('gone');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(queue.waiting).toBe(1);
    void patient;
  });

  test('a listener is removed when the place is given', async () => {
    const queue = queueOf({ places: 1 });
    const first = queue.enter({ party: 'a' }) as Place;
    const client = ending();
    const waiting = queue.enter({ party: 'b', onEnd: client.onEnd });
    expect(client.listeners).toBe(1);
    first.leave(1);
    await waiting;
    expect(client.listeners).toBe(0);
  });
});

test('who returns goes to the front of its party and is not refused', async () => {
  const queue = queueOf({ places: 1, waiting: 1, waitingPerParty: 1, waitMs: 20 });
  const first = queue.enter({ party: 'a' }) as Place;
  const line = new Line(queue);
  void line.enter('a', { waitMs: Infinity });
  const returned = queue.enter({ party: 'a', returns: true });
  await new Promise((resolve) => setTimeout(resolve, 40));
  first.leave(1);
  (await returned).leave(1);
  await turn();
  expect(line.order).toBe('a');
});

test('nobody is lost, whatever happens in which order', async () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const queue = queueOf({ places: 5, placesPerParty: 3, waiting: 40, waitingPerParty: 15, waitMs: Infinity });
  const places: Place[] = [];
  let [entered, left, lost] = [0, 0, 0];
  const enders: ((error: Error) => void)[] = [];
  for (let i = 0; i < 5000; i++) {
    const action = random(10);
    if (action < 5) {
      const onEnd: Entrant['onEnd'] = (listener) => {
        enders.push(listener);
        return () => void enders.splice(enders.indexOf(listener), 1);
      };
      void (async () => queue.enter({ party: String(random(6)), bytes: random(20), onEnd }))().then(
        (place) => places.push(place),
        () => lost++,
      );
      entered++;
    } else if (action < 9) {
      if (places.length > 0) places.splice(random(places.length), 1)[0]!.leave(random(200));
      left++;
    } else enders[random(Math.max(1, enders.length))]?.(new Error('gone'));
    if (random(3) === 0) await turn();
    expect(queue.working).toBeLessThanOrEqual(5);
  }
  for (let i = 0; i < 200; i++) {
    await turn();
    places.splice(0).forEach((place) => {
      place.leave(1);
      left++;
    });
  }
  expect([queue.working, queue.waiting, places.length]).toEqual([0, 0, 0]);
  expect(lost).toBeGreaterThan(0);
  expect(entered).toBeGreaterThan(lost);
});

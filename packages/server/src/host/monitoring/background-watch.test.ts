import type { Database } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';
import { BackgroundWatch } from './background-watch.js';

type Failure = ReturnType<Database['metrics']>['backgroundFailures'][number];

const merge: Failure = {
  repository: 'acme/people',
  job: 'merge of hash runs',
  code: 'CHECKSUM',
  message: 'a block is damaged',
  count: 1,
  since: new Date(0),
};

test('each failure is logged once, and that it has ended', () => {
  const lines: unknown[][] = [];
  const write =
    (level: string) =>
    (...line: unknown[]): void =>
      void lines.push([level, ...line]);
  let failures: Failure[] = [];
  const database = {
    state: 'open' as Database['state'],
    metrics: () => ({ backgroundFailures: failures }) as unknown as ReturnType<Database['metrics']>,
  };
  const logger = { info: write('info'), warn: write('warn'), error: write('error') };
  const watch = new BackgroundWatch(database, logger, 1_000_000);
  onTestFinished(() => watch.close());
  const logged = (): unknown[][] => {
    watch.check();
    return lines.splice(0);
  };
  expect(logged()).toEqual([]);
  failures = [merge];
  const { message: error, ...details } = merge;
  expect(logged()).toEqual([['error', 'background work failed', { ...details, error }]]);
  expect(logged()).toEqual([]);
  failures = [
    { ...merge, count: 2 },
    { ...merge, repository: 'acme/other' },
  ];
  expect(logged()).toMatchObject([
    ['error', 'background work failed', { repository: 'acme/people', count: 2 }],
    ['error', 'background work failed', { repository: 'acme/other', count: 1 }],
  ]);
  failures = [];
  expect(logged()).toMatchObject([
    ['info', 'background work does not fail any more', { repository: 'acme/people', job: 'merge of hash runs' }],
    ['info', 'background work does not fail any more', { repository: 'acme/other', job: 'merge of hash runs' }],
  ]);
  database.state = 'closed';
  failures = [merge];
  expect(logged()).toEqual([]);
});

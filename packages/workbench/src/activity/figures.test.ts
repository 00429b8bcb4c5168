import { expect, test } from 'vitest';
import { parseMetrics } from '../api/metrics.js';
import { figuresOf, pointsOf } from './figures.js';

const reading = (time: number, text: string) => ({ time, samples: parseMetrics(text) });

test('the text of figures is read, with labels and without, and anything else is left out', () => {
  const samples = parseMetrics('# HELP a b\n# TYPE a counter\na{b="c d",e="}"} 3\na 4.5\n\nb 1e3\nnonsense\nc +Inf\n');
  expect([...samples]).toEqual([
    [
      'a',
      [
        { labels: 'b="c d",e="}"', value: 3 },
        { labels: '', value: 4.5 },
      ],
    ],
    ['b', [{ labels: '', value: 1000 }]],
    ['c', [{ labels: '', value: Number.NaN }]],
  ]);
});

test('counters become growth in a second, over all labels; others stay', () => {
  const before = reading(1000, 'quadrille_http_requests_total{a="1"} 5\nprocess_cpu_seconds_total 1');
  const now = reading(
    3000,
    'quadrille_http_requests_total{a="1"} 7\nquadrille_http_requests_total{a="2"} 2\nprocess_cpu_seconds_total 2\n' +
      'quadrille_queries_running 3\nquadrille_event_loop_delay_seconds{percentile="99"} 0.02',
  );
  expect(figuresOf(before, now)).toEqual({
    requests: 2,
    running: 3,
    waiting: 0,
    commits: 0,
    cpu: 0.5,
    memory: 0,
    delay: 0.02,
  });
});

test('a server that has begun anew has no negative growth', () => {
  const before = reading(1000, 'quadrille_commits_total 50');
  expect(figuresOf(before, reading(3000, 'quadrille_commits_total 2')).commits).toBe(0);
  expect(figuresOf(before, reading(1000, 'quadrille_commits_total 60')).commits).toBe(0);
});

test('values are drawn from the right, in proportion to the largest', () => {
  expect(pointsOf([0, 5, 10], 5, 100, 20)).toBe('50,20 75,10 100,0');
  expect(pointsOf([0, 0], 3, 10, 8)).toBe('5,8 10,8');
  expect(pointsOf([], 3, 10, 8)).toBe('');
});

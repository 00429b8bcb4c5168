// The rules of `promtool check metrics`, over all figures of a server that was used.
import { openService } from '../host/index.js';
import { expect, onTestFinished, test } from 'vitest';
import { type DatabaseMetrics, open } from 'quadrille';
import { createHandler } from '../handler.js';
import { BASE } from '../testing/server.js';

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: { readonly name: string; readonly labels: readonly string[]; readonly series: string }[];
}

/** Throws where the text is not of the format 0.0.4, or where samples do not follow the head of their family. */
function families(text: string): Family[] {
  expect(text.endsWith('\n')).toBe(true);
  const found: Family[] = [];
  const lines = text.split('\n').slice(0, -1);
  for (let at = 0; at < lines.length;) {
    const [, name = '', help = ''] = /^# HELP ([a-zA-Z_:][\w:]*) (.*)$/.exec(lines[at++]!)!;
    const [, typed, type = ''] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(lines[at++]!)!;
    expect(typed).toBe(name);
    const family: Family = { name, help, type, samples: [] };
    for (; at < lines.length && !lines[at]!.startsWith('#'); at++) {
      const form =
        /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (-?[\d.e+-]+|[+-]Inf|NaN)$/;
      const [, sample = '', pairs = ''] = form.exec(lines[at]!) ?? [];
      expect([lines[at], sample.startsWith(name)]).toEqual([lines[at], true]);
      const labels = [...pairs.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
      family.samples.push({ name: sample, labels, series: `${sample}{${pairs}}` });
    }
    found.push(family);
  }
  return found;
}

const UNITS = /_(?:s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)(?:_|$)/;
const NO_BASE_UNITS =
  /(?:^|_)(?:milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|kilobytes?|megabytes?|bits?|percent)(?:_|$)/;

function problems({ name, help, type, samples }: Family): string[] {
  const suffix = /_(bucket|sum|count)$/;
  const labels = samples.flatMap((sample) => sample.labels);
  const rules: [boolean, string][] = [
    [help === '', 'no help'],
    [type === 'counter' && !name.endsWith('_total'), 'a counter should end in _total'],
    [type !== 'counter' && name.endsWith('_total'), 'only a counter should end in _total'],
    [UNITS.test(name), 'an abbreviated unit'],
    [NO_BASE_UNITS.test(name), 'no base unit'],
    [/_(?:counter|gauge|histogram|summary)(?:_|$)/.test(name), 'its type in its name'],
    [name.includes(':'), 'a colon'],
    [/[a-z][A-Z]/.test(name) || labels.some((label) => /[a-z][A-Z]/.test(label)), 'camel case'],
    [labels.includes('quantile'), 'a label quantile without a summary'],
    [type !== 'histogram' && labels.includes('le'), 'a label le without a histogram'],
    [type !== 'histogram' && suffix.test(name), 'a suffix of a histogram'],
    [
      samples.some((sample) => sample.name !== name && !(type === 'histogram' && suffix.test(sample.name))),
      'a stray sample',
    ],
    [new Set(samples.map(({ series }) => series)).size !== samples.length, 'a series twice'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, rule]) => `${name}: ${rule}`);
}

const SHARED: NonNullable<DatabaseMetrics['shared']> = {
  appends: 1,
  appendSeconds: 0.25,
  appendBytes: 1000,
  checks: 2,
  checkSeconds: 0.5,
  roundTrips: 4,
  unknownOutcomes: 0,
  takeOvers: 1,
  readBytes: 5,
  writtenBytes: 6,
  cacheHits: 7,
  cacheMisses: 8,
  cacheBytes: 9,
  position: 10,
  lagSeconds: 0.125,
};

test('no rule is broken, and durations are there by route', async () => {
  const database = await open(':memory:');
  const metrics = database.metrics.bind(database);
  Object.assign(database, { metrics: () => ({ ...metrics(), shared: SHARED }) });
  const service = await openService(database, { open: true, servers: () => [] });
  onTestFinished(async () => {
    await service.close();
    await database.close();
  });
  const handler = createHandler({ service });
  const send = (method: string, path: string, body?: string): Promise<Response> =>
    handler(new Request(BASE + path, { method, ...(body !== undefined && { body }) }));
  await send('POST', '/acme/repositories', 'name=people');
  await send('POST', '/acme/people/sparql', 'query=nonsense');
  await send('GET', '/acme/people/sparql?query=ASK%7B%7D');
  await send('GET', '/acme/"\\\n/x');
  service.calls.count('DescribeService', 'ok', 0.002);
  const text = await (await send('GET', '/metrics')).text();
  const all = families(text);
  expect(all.flatMap(problems)).toEqual([]);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(text).toContain('\nquadrille_store_append_seconds_total 0.25\n');
  expect(text).toContain('\nquadrille_store_holder 0\n');
  const durations = all.find(({ name }) => name === 'quadrille_http_request_duration_seconds')!;
  const routed = durations.samples.filter(({ series }) => series.includes('route="/:account/:repository/sparql"'));
  expect(routed.some(({ series }) => series.includes('le="+Inf"'))).toBe(true);
});

test.each([
  ['# HELP a_ms Time.\n# TYPE a_ms gauge\na_ms 1\n', 'an abbreviated unit'],
  ['# HELP a Calls.\n# TYPE a counter\na 1\n', 'a counter should end in _total'],
  ['# HELP a Delay.\n# TYPE a gauge\na{quantile="1"} 1\n', 'a label quantile without a summary'],
  ['# HELP a x\n# TYPE a gauge\na{b="1"} 1\na{b="1"} 2\n', 'a series twice'],
])('the rules are seen to be broken: %j', (text, rule) => {
  expect(families(text).flatMap(problems)).toEqual([`${/^# HELP (\w+)/.exec(text)![1]!}: ${rule}`]);
});

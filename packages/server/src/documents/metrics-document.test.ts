import { openService } from '../host/index.js';
import { open } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';
import { Observer } from '../observer.js';
import { MetricsDocument } from './metrics-document.js';

test('background jobs that fail are counted by job and code, without names of repositories', async () => {
  const database = await open(':memory:');
  onTestFinished(() => database.close());
  const failure = { job: 'merge of hash runs', message: '/var/lib/data is damaged', count: 3, since: new Date() };
  const failing = {
    queries: () => [],
    metrics: () => ({
      ...database.metrics(),
      backgroundFailures: [
        { ...failure, repository: 'acme/secret', code: 'CHECKSUM' },
        { ...failure, repository: 'acme/people', code: 'CHECKSUM' },
        { ...failure, repository: 'acme/people', job: 'flush of new terms', code: 'STORAGE_FULL' },
      ],
    }),
  } as unknown as typeof database;
  const service = await openService(database);
  onTestFinished(() => service.close());
  const text = (given: typeof database): Promise<string> =>
    new MetricsDocument({ ...service, database: given }, new Observer(undefined)).text();
  const lines = (await text(failing)).split('\n');
  expect(lines).toContain('quadrille_background_failures{job="merge of hash runs",code="CHECKSUM"} 2');
  expect(lines).toContain('quadrille_background_failures{job="flush of new terms",code="STORAGE_FULL"} 1');
  expect(lines.join('\n')).not.toMatch(/secret|damaged/);
  expect(await text(database)).not.toContain('quadrille_background_failures{');
});

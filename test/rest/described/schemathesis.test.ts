/** The same by schemathesis (Python), where it is installed: it knows other ways to break a description. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler, serveNode } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import { open } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';

const hasSchemathesis = spawnSync('schemathesis', ['--version'], { stdio: 'ignore' }).status === 0;
if (!hasSchemathesis)
  console.log('schemathesis is not on the PATH (pip install schemathesis): its requests are not sent');

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
];
/** `coverage` adds three thousand requests, and a minute. */
const PHASES = process.env['QUADRILLE_SCHEMATHESIS'] ?? 'fuzzing';
const SEED = process.env['QUADRILLE_SEED'] ?? '1';

const NAMES = {
  account: 'acme',
  repository: 'people',
  ref: 'HEAD',
  name: 'v1',
  prefix: 'ex',
  extension: 'ttl',
  graph: 'g',
};

test.skipIf(!hasSchemathesis)(
  'schemathesis finds no answer that is not as described (needs schemathesis on the PATH)',
  { timeout: 300_000 },
  async () => {
    console.log(`schemathesis: seed ${SEED}`);
    const database = await open(':memory:');
    const service = await openService(database, { rateLimit: false });
    await service.accounts.create('acme', { admin: true });
    const token = (await service.tokens.create('acme')).text;
    await (await database.repository('acme/people', { create: true })).update('INSERT DATA { <urn:a> <urn:p> 1 }');
    const node = await serveNode(createHandler({ service }), { port: 0 });
    const folder = await mkdtemp(join(tmpdir(), 'quadrille-schemathesis-'));
    onTestFinished(async () => {
      await node.close(0);
      await service.close();
      await database.close();
      await rm(folder, { recursive: true });
    });
    const config = join(folder, 'schemathesis.toml');
    const hooks = join(import.meta.dirname, 'schemathesis_hooks.py');
    const names = Object.entries(NAMES).map(([name, value]) => `"path.${name}" = "${value}"\n`);
    await writeFile(config, `hooks = ${JSON.stringify(hooks)}\n[parameters]\n${names.join('')}`);
    const args = ['--config-file', config, 'run', `${node.url}/openapi.json`, '--seed', SEED, '-n', '5'];
    args.push('--phases', PHASES, '--checks', CHECKS.join(','), '--request-timeout', '20', '--continue-on-failure');
    // A feed has no end; and what was deleted would be missed by the rest.
    for (const id of [
      'getRepositoryChanges',
      'deleteRepository',
      'deleteAccountsAccount',
      'deleteAccountTokensId',
      // It is described as 501.
      'postRepositoryViewsView',
    ])
      args.push('--exclude-operation-id', id);
    args.push('-H', `Authorization: Bearer ${token}`);
    const { code, output } = await run(args, folder);
    expect(code, `seed ${SEED}\n${output.slice(-8000)}`).toBe(0);
    expect(output).toMatch(/\d{3,} generated/);
    // Its token and its repository were there to the end.
    expect(
      await (await fetch(`${node.url}/acme/people/size`, { headers: { Authorization: `Bearer ${token}` } })).text(),
    ).toMatch(/^\d+$/);
  },
);

function run(args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile('schemathesis', args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

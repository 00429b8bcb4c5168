import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { quadrille, type Workspace, workspace } from '../testing/command.js';

const SLOW = { timeout: 120_000 };

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

describe('quadrille health', SLOW, () => {
  test('of a server, by its address, below its base path, and where the environment says it is', async () => {
    const { url } = await work.serve(['--base-path', '/rdf']);
    for (const address of [url, `${url}/`])
      expect(await quadrille(['health', address])).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
    expect(await quadrille(['health', url, '--live', '--json'])).toMatchObject({
      code: 0,
      stdout: '{"ok":true,"status":"nominal"}\n',
    });
    const env = { QUADRILLE_PORT: new URL(url).port, QUADRILLE_HOST: '0.0.0.0', QUADRILLE_BASE_PATH: '/rdf' };
    expect(await quadrille(['health'], { env })).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
    const beside = await quadrille(['health', new URL('/', url).href]);
    expect(beside).toMatchObject({ code: 1, stdout: '' });
  });

  test('of a server with a certificate for another name, on this machine', async (context) => {
    const [key, cert] = [join(work.directory, 'key.pem'), join(work.directory, 'cert.pem')];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    try {
      execFileSync('openssl', [...made, '-subj', '/CN=data.example.org', '-keyout', key, '-out', cert], {
        stdio: 'ignore',
      });
    } catch {
      context.skip('there is no openssl, which makes the certificate');
    }
    const { url } = await work.serve(['--tls-cert', cert, '--tls-key', key]);
    expect(url).toMatch(/^https:/);
    expect(await quadrille(['health', url])).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
  });

  test('a server that is away, stalls, or is none of Quadrille fails with a sentence', async () => {
    const stalled = createServer((_, response) => {
      if (_.url === '/page/ready') response.end('<html>');
    }).listen(0, '127.0.0.1');
    await once(stalled, 'listening');
    onTestFinished(() => {
      stalled.closeAllConnections();
      stalled.close();
    });
    const url = `http://127.0.0.1:${String((stalled.address() as AddressInfo).port)}`;
    const late = await quadrille(['health', url, '--timeout', '0.2']);
    expect(late).toMatchObject({ code: 1, stdout: '' });
    expect(late.stderr).toMatch(/no answer within 200 ms.*\(FETCH_FAILED\)\n$/);
    const foreign = await quadrille(['health', `${url}/page`]);
    expect(foreign.stderr).toMatch(/is not a Quadrille server: it answered 200.*\(FETCH_FAILED\)\n$/);
    const away = await quadrille(['health', 'http://127.0.0.1:1']);
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toMatch(/cannot be reached: ECONNREFUSED \(FETCH_FAILED\)\n$/);
    expect(await quadrille(['health', 'ftp://127.0.0.1'])).toMatchObject({ code: 2, stdout: '' });
    expect(await quadrille(['health', url, '--timeout', '0'])).toMatchObject({ code: 2, stdout: '' });
  });
});

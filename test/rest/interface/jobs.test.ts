// Jobs of the interface, row by row, with curl against the bundled server.
import { describe, expect } from 'vitest';
import { FORM, jsonOf, row, scene, status, TURTLE } from '../scene.js';

const at = scene((request, response) => {
  if (request.url === '/slow.nt') return void setTimeout(() => response.end(), 20_000).unref();
  if (request.url === '/bad.nt') return void response.setHeader('Content-Type', 'text/turtle').end('no turtle');
  response.setHeader('Content-Type', 'application/n-triples').end('<urn:fetched> <urn:p> "x" .\n');
});
const statements = (): string => `${at.repository}/statements`;
const job = (path: string): Promise<any> => jsonOf(at.get(path));
const importing = (url: string): Promise<unknown> =>
  at.send('POST', statements(), { type: FORM, body: `url=${encodeURIComponent(at.host + url)}` });
const running = async (): Promise<any> => {
  await expect.poll(async () => (await job('/jobs')).length).toBe(1);
  return (await job('/jobs'))[0];
};
const asynchronous = (headers: Record<string, string>, body = '<urn:async> <urn:p> 1 .') =>
  at.send('POST', statements(), { type: TURTLE, headers, body });

describe('1 jobs', () => {
  row('1 GET /A/R/status when no import ever ran: the creation, completed', async () => {
    expect(await job(`${at.repository}/status`)).toMatchObject({ status: 'completed', working: false, pct: 100 });
  });
  row('1 status words, lifecycle, working, pct, time, message', async () => {
    const importing1 = importing('/slow.nt');
    const found = await running();
    expect(found).toMatchObject({ status: 'running', working: true, message: expect.stringMatching(/./) });
    expect(found.pct).toBeLessThan(100);
    expect(found.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
    expect(await status(at.send('DELETE', `/jobs/${found.uuid}`))).toBe(204);
    await importing1;
    expect(await job(`/jobs/${found.uuid}`)).toMatchObject({ status: 'aborted', working: false });
    await importing('/bad.nt');
    expect(await job(`${at.repository}/status`)).toMatchObject({
      status: 'failed',
      working: false,
      message: expect.stringMatching(/./),
    });
    await importing('/data.nt');
    expect(await job(`${at.repository}/status`)).toMatchObject({ status: 'completed', pct: 100 });
  });
  row('1 GET /A/R/status with several jobs: the newest under way, else the last', async () => {
    const slow = importing('/slow.nt');
    const { uuid } = await running();
    await importing('/data.nt');
    expect(await job(`${at.repository}/status`)).toMatchObject({ uuid, working: true });
    await at.send('DELETE', `/jobs/${uuid}`);
    await slow;
    expect(await job(`${at.repository}/status`)).toMatchObject({ working: false });
  });
  row('1 GET /jobs: those under way, [] for none, 401 without credentials, ?status=, aliases', async () => {
    expect(await job('/jobs')).toEqual([]);
    expect(await status(at.get('/jobs', undefined, { token: null }))).toBe(401);
    const failed = await job('/jobs?status=failed');
    expect(failed).toEqual([expect.objectContaining({ status: 'failed' })]);
    expect(await job('/jobs?status=unknown')).toEqual([]);
    expect(await status(at.get('/jobs?status=done'))).toBe(400);
    for (const path of ['/ops', '/repositories/jobs']) {
      expect(await job(path)).toEqual([]);
      expect(await job(`${path}/${failed[0].uuid}`)).toEqual(failed[0]);
    }
  });
  row('1 GET /jobs/<id>: finished ones, UUID in any case, unknown 404', async () => {
    const [failed] = await job('/jobs?status=failed');
    expect(await job(`/jobs/${String(failed.uuid).toUpperCase()}`)).toEqual(failed);
    const unknown = await at.get('/jobs/00000000-0000-7000-8000-000000000000');
    expect([unknown.status, JSON.parse(unknown.body).code]).toEqual([404, 'JOB_NOT_FOUND']);
  });
  row('1 abort of a finished job is a no-op', async () => {
    const [failed] = await job('/jobs?status=failed');
    expect(await status(at.send('DELETE', `/jobs/${failed.uuid}`))).toBe(204);
    expect(await job(`/jobs/${failed.uuid}`)).toEqual(failed);
  });
  row('1 body writes: synchronous, 204 after the commit, their job completed', async () => {
    expect(await status(asynchronous({}))).toBe(204);
    expect(await job(`${at.repository}/status`)).toMatchObject({ status: 'completed' });
    expect(await at.lines('?subj=urn:async')).toHaveLength(1);
  });
  row('1 url= import: 204 when it is done; what fails is an error and a failed job', async () => {
    expect(await importing('/data.nt')).toMatchObject({ status: 204 });
    expect(await importing('/bad.nt')).toMatchObject({ status: 400 });
    expect(await job(`${at.repository}/status`)).toMatchObject({ status: 'failed' });
  });
  row('1 asynchronous opt-in: 202, Location, Request-Id; Prefer; other values 400', async () => {
    for (const headers of [{ 'Accept-Asynchronous': 'notify' }, { Prefer: 'respond-async' }] as Record<
      string,
      string
    >[]) {
      const answer = await asynchronous(headers);
      expect(answer.status).toBe(202);
      expect(answer.headers.get('location')).toMatch(/\/jobs\/[0-9a-f-]{36}$/);
      expect(answer.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
      if ('Prefer' in headers) expect(answer.headers.get('preference-applied')).toBe('respond-async');
      await expect.poll(async () => (await job(answer.headers.get('location')!)).status).toBe('completed');
    }
    expect(await status(asynchronous({ 'Accept-Asynchronous': 'execute' }))).toBe(204);
    expect(await status(asynchronous({ 'Accept-Asynchronous': 'later' }))).toBe(400);
  });
  row('1 completion callback', async () => {
    const answer = await asynchronous({
      'Accept-Asynchronous': 'notify',
      'Asynchronous-Location': `${at.host}/done`,
      'Asynchronous-Method': 'PUT',
      'Asynchronous-Content-Type': 'text/turtle',
      'Asynchronous-Authorization': 'Bearer mine',
      'Client-Request-Id': 'request-7',
    });
    expect(answer.status).toBe(202);
    await expect.poll(() => at.received.some(({ request }) => request === 'PUT /done')).toBe(true);
    const told = at.received.find(({ request }) => request === 'PUT /done')!;
    expect(told.headers).toMatchObject({ authorization: 'Bearer mine', 'content-type': 'text/turtle; charset=utf-8' });
    for (const text of ['as:Update', 'prov:endedAtTime', 'as:inReplyTo "request-7"', '?revision-id='])
      expect(told.body).toContain(text);
    const refused = { 'Accept-Asynchronous': 'notify', 'Asynchronous-Location': 'http://169.254.169.254/' };
    expect([400, 403]).toContain(await status(asynchronous(refused)));
  });
});

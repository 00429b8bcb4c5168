// The switches that the interface names, set by options of the command, with curl against the bundled server.
import { describe, expect } from 'vitest';
import { etagOf, query, row, scene, status, TURTLE, typeOf } from '../scene.js';

const OPTIONS =
  '--put merge --link-format link-format --query-token --direct-graphs --protocol-version 12 --cors https://app.example ' +
  '--public-base https://data.example/base';
const at = scene(undefined, ...OPTIONS.split(' '));
const sent = { type: TURTLE, body: '<urn:a> <urn:p> 1 .' };

describe('switches', () => {
  row('2 statements.put = merge: PUT adds', async () => {
    await at.send('PUT', `${at.repository}/statements`, sent);
    await at.send('PUT', `${at.repository}/statements`, { type: TURTLE, body: '<urn:b> <urn:p> 1 .' });
    expect(await at.lines()).toHaveLength(2);
  });
  row('4 /A/protocol: the version that is set', async () => {
    expect((await at.get('/default/protocol')).body).toBe('12');
  });
  row('7 graphs.direct: other paths are graphs; names by publicBase', async () => {
    const path = `${at.repository}/any/path`;
    expect(await status(at.get(path))).toBe(404);
    const made = await at.send('PUT', path, sent);
    expect([made.status, made.headers.get('location')]).toEqual([201, `https://data.example/base${path}`]);
    expect(await at.lines(`?${query({ context: `https://data.example/base${path}` })}`)).toHaveLength(1);
  });
  row('9 auth.queryToken: auth_token counts, the first of several, and stands in no answer', async () => {
    const path = `${at.repository}/size?auth_token=${at.token}&auth_token=other`;
    const answer = await at.get(path, undefined, { token: null });
    expect(answer.status).toBe(200);
    expect(JSON.stringify([...answer.headers])).not.toContain(at.token);
    const wrong = await at.get(`${at.repository}/none?auth_token=${at.token}`, undefined, { token: null });
    expect(wrong.body).not.toContain(at.token);
  });
  row('13 CORS: listed origins with credentials, no others', async () => {
    const asked = async (origin: string): Promise<(string | undefined)[]> => {
      const { headers } = await at.get(`${at.repository}/size`, undefined, { headers: { Origin: origin } });
      expect(headers.get('vary')).toContain('Origin');
      return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
    };
    expect(await asked('https://app.example')).toEqual(['https://app.example', 'true']);
    expect(await asked('https://evil.example')).toEqual([undefined, undefined]);
  });
  row('15 timemap.acceptLinkFormat = link-format; mementos by publicBase', async () => {
    const answer = await at.get(at.repository, 'application/link-format');
    expect(typeOf(answer)).toBe('application/link-format');
    const id = etagOf(await at.get(`${at.repository}/size`));
    expect(answer.body).toContain(`<https://data.example/base${at.repository}?revision-id=${id}>`);
  });
});

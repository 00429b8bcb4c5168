/** Documents that are to fill a small heap: long terms, many terms, deep nesting, compressed zeros. */
import { gzipSync } from 'node:zlib';
import type { Random } from '../model/operations.mjs';
import type { Target } from './server.js';

interface Load {
  readonly type: string;
  readonly encoding?: string;
  readonly body: () => Uint8Array | string;
}

const MB = 1024 * 1024;

const LOADS: Readonly<Record<string, Load>> = {
  'a long literal': { type: 'application/n-triples', body: () => `<urn:a> <urn:p> "${'x'.repeat(20 * MB)}" .` },
  'a literal without an end': { type: 'text/turtle', body: () => `<urn:a> <urn:p> "${'x'.repeat(40 * MB)}` },
  'a long IRI': { type: 'application/n-triples', body: () => `<urn:${'x'.repeat(5 * MB)}> <urn:p> 1 .` },
  'deep lists': { type: 'text/turtle', body: () => `<urn:a> <urn:p> ${'('.repeat(200_000)}` },
  'deep arrays': { type: 'application/ld+json', body: () => '['.repeat(100_000) },
  'deep elements': { type: 'application/rdf+xml', body: () => '<a xmlns="urn:">'.repeat(100_000) },
  entities: {
    type: 'application/rdf+xml',
    body: () =>
      `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(1000)}">${Array.from({ length: 8 }, (_, i) => `<!ENTITY ${'bcdefghi'[i]!} "${`&${'abcdefgh'[i]!};`.repeat(10)}">`).join('')}]><r>&i;</r>`,
  },
  zeros: { type: 'application/n-triples', encoding: 'gzip', body: () => gzipSync(new Uint8Array(200 * MB)) },
  'many prefixes': {
    type: 'text/turtle',
    body: () => Array.from({ length: 100_000 }, (_, i) => `@prefix p${i}: <urn:${i}:> .`).join('\n'),
  },
  'many terms': {
    type: 'application/n-triples',
    body: () => Array.from({ length: 150_000 }, (_, i) => `<urn:x:${i}> <urn:p:${i % 5000}> "${i}" .`).join('\n'),
  },
};

/** What a server may answer. */
const STATUSES = new Set([200, 201, 202, 204, 400, 413, 415, 422, 503, 507]);

/** Sends one of them to a repository of its own. Answers what is wrong. */
export async function hostileLoad(
  { url, token, sparql }: Target,
  random: Random,
): Promise<{ name: string; wrong?: string }> {
  const names = Object.keys(LOADS);
  const name = names[Math.floor(random() * names.length)]!;
  const { type, encoding, body } = LOADS[name]!;
  const account = new URL(sparql).pathname.split('/')[1]!;
  const headers = { Authorization: `Bearer ${token}` };
  await fetch(`${url}/${account}/repositories`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'repository[name]=loads',
  }).then((response) => response.text());
  try {
    const response = await fetch(`${url}/${account}/loads/statements`, {
      method: 'PUT',
      headers: { ...headers, 'Content-Type': type, ...(encoding !== undefined && { 'Content-Encoding': encoding }) },
      body: body() as BodyInit,
    });
    const text = await response.text();
    return STATUSES.has(response.status) ? { name } : { name, wrong: `${response.status} ${text.slice(0, 300)}` };
  } catch {
    // The server may refuse it before it has come as a whole: that the process lives is looked at.
    return { name };
  }
}

/** The bundled server with a small heap, and data that queries can multiply. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveWith } from '../rest/curl.js';
import { residentBytes } from '../rpc/resident-bytes.js';

export interface Target {
  readonly url: string;
  readonly token: string;
  /** Of the repository. */
  readonly sparql: string;
  /** Whether the process lives. */
  readonly lives: () => boolean;
  /** For how long its main thread has had the processor, in milliseconds; the time of day where the system does not tell. */
  readonly busyMs: () => number;
  /** The most memory that the process has had, in bytes. */
  readonly peakBytes: () => number;
  readonly stop: () => Promise<void>;
}

/** Items with a number, and nodes of which each knows each. */
const ITEMS = 2000;
const NODES = 150;
const LONG_LITERALS = 100;
const LONG_LENGTH = 20_000;

function* statements(): Generator<string> {
  for (let i = 0; i < ITEMS; i++)
    yield `<urn:item:${String(i)}> <urn:n> "${String(i)}"^^<http://www.w3.org/2001/XMLSchema#integer> .`;
  for (let from = 0; from < NODES; from++)
    for (let to = 0; to < NODES; to++) yield `<urn:node:${String(from)}> <urn:k> <urn:node:${String(to)}> .`;
  for (let i = 0; i < LONG_LITERALS; i++)
    yield `<urn:text:${String(i)}> <urn:long> "${'a'.repeat(LONG_LENGTH)}${String(i)}!" .`;
}

export async function killersTarget(heapMegabytes: number): Promise<Target> {
  const directory = await mkdtemp(join(tmpdir(), 'quadrille-killers-'));
  const node = [`--max-old-space-size=${String(heapMegabytes)}`];
  const { url, account, token, child } = await serveWith(node, join(directory, 'store'), '--no-rate-limit');
  const repository = `${url}/${account}/default`;
  const filled = await fetch(`${repository}/statements`, {
    method: 'PUT',
    body: [...statements()].join('\n'),
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/n-triples' },
  });
  if (!filled.ok) throw new Error(`the server took no data: ${String(filled.status)}`);
  const ended = new Promise((done) => child.once('close', done));
  return {
    url,
    token,
    sparql: `${repository}/sparql`,
    lives: () => child.exitCode === null && child.signalCode === null,
    busyMs: () => busyMs(child.pid!),
    peakBytes: () => peakBytes(child.pid!),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function busyMs(pid: number): number {
  try {
    const nanoseconds = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/schedstat`, 'utf8').split(' ')[0];
    return Number(nanoseconds) / 1e6;
  } catch {
    return Date.now();
  }
}

// Linux remembers the peak of a process. Elsewhere the present size has to do.
function peakBytes(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  } catch {
    return residentBytes(pid);
  }
}

/** Clients that query without pause, each over its own connection, and their waiting times. */
import { Agent, request } from 'node:http';
import { open } from 'node:fs/promises';

export interface ReaderTimes {
  /** Waiting times in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly requestsPerSecond: number;
}

const SAMPLE_BYTES = 1 << 20;
const BSBM = 'http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/vocabulary/';
const LABEL = '<http://www.w3.org/2000/01/rdf-schema#label>';

/** Subjects from four places of a BSBM file. */
export async function someSubjects(file: string): Promise<string[]> {
  const subjects = new Set<string>();
  const handle = await open(file);
  const { size } = await handle.stat();
  for (const part of [0.05, 0.3, 0.6, 0.9]) {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(SAMPLE_BYTES),
      0,
      SAMPLE_BYTES,
      Math.floor(size * part),
    );
    for (const line of buffer.toString('utf8', 0, bytesRead).split('\n').slice(1, -1)) {
      subjects.add(line.slice(0, line.indexOf(' ')));
    }
  }
  await handle.close();
  return [...subjects];
}

export const pointQueries: readonly ((subject: string) => string)[] = [
  (subject) => `SELECT ?p ?o WHERE { ${subject} ?p ?o }`,
  (subject) =>
    `SELECT ?label ?price WHERE { ${subject} <${BSBM}product> ?o . ?o ${LABEL} ?label OPTIONAL { ${subject} <${BSBM}price> ?price } }`,
  (subject) => `ASK { ${subject} ${LABEL} ?label }`,
];

export class Readers {
  readonly #agent: Agent;
  readonly #times: number[] = [];
  readonly #running: Promise<void>[];
  readonly #began = performance.now();
  #stopped = false;

  /** @param endpoint the URL to which queries are sent */
  constructor(
    private readonly endpoint: string,
    private readonly subjects: readonly string[],
    count: number,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: count });
    this.#running = Array.from({ length: count }, (_, reader) => this.#read(reader));
  }

  async #read(reader: number): Promise<void> {
    for (let n = reader * 7919; !this.#stopped; n++) {
      const text = pointQueries[n % pointQueries.length]!(this.subjects[(n * 31) % this.subjects.length]!);
      const start = performance.now();
      await this.#ask(text);
      this.#times.push(performance.now() - start);
    }
  }

  #ask(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const url = `${this.endpoint}?query=${encodeURIComponent(text)}`;
      const outgoing = request(url, { agent: this.#agent, headers: { Accept: 'application/sparql-results+json' } });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        incoming.on('error', reject).on('end', () => {
          if (incoming.statusCode === 200) resolve();
          else reject(new Error(`a query was answered with status ${String(incoming.statusCode)}`));
        });
        incoming.resume();
      });
      outgoing.end();
    });
  }

  async stop(): Promise<ReaderTimes> {
    const seconds = (performance.now() - this.#began) / 1000;
    this.#stopped = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
    return timesOf(this.#times, seconds);
  }
}

export function timesOf(times: readonly number[], seconds: number): ReaderTimes {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1), requestsPerSecond: times.length / seconds };
}

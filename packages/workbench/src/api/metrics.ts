/** Figures of the server, for operators. */
import { getJson, request } from './client.js';

/** Samples by their name, with the labels of each as text. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

export interface Sample {
  /** As `route="/x",status="200"`; empty where there are none. */
  readonly labels: string;
  readonly value: number;
}

const LINE = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i;

/** Reads the text format of Prometheus. Lines that are none are left out. */
export function parseMetrics(text: string): Samples {
  const samples = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const list = samples.get(name) ?? [];
    list.push({ labels, value: Number(value) });
    samples.set(name, list);
  }
  return samples;
}

/** @throws ApiError 403 for those who are no operators */
export async function readMetrics(signal?: AbortSignal): Promise<Samples> {
  const init = { headers: { Accept: 'text/plain' }, ...(signal && { signal }) };
  return parseMetrics(await (await request('metrics', init)).text());
}

/** One of several servers of a shared store. */
export interface ServerRecord {
  readonly id: string;
  readonly label: string;
  readonly url: string | null;
  readonly role: 'holder' | 'follower';
  /** Whether it is the server that answers. */
  readonly self: boolean;
  readonly leaving: boolean;
  /** Time since its last sign of life, in milliseconds. */
  readonly silent_ms: number;
  /** Entries of the log that it had not shown with that sign. */
  readonly behind: number | null;
}

export const listServers = (): Promise<ServerRecord[]> => getJson('servers');

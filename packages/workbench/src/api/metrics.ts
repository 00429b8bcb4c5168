/** Figures of the server, for operators. */
import { request } from './client.js';

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

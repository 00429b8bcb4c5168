/** Sends killers, and says how they ended. */
import { type Killer, TIMEOUT_MS } from './killer.js';
import type { Target } from './server.js';

export interface Outcome {
  readonly name: string;
  /** 0 where there was no answer. */
  readonly status: number;
  readonly code: string | undefined;
  /** Whether the answer was broken off behind its status. */
  readonly broken: boolean;
  readonly milliseconds: number;
}

const MOST_OF_ERROR = 2000;

/** @param body of the killer: making it takes time that is not the server's */
export async function send(target: Target, killer: Killer, body: string, timeoutMs = TIMEOUT_MS): Promise<Outcome> {
  const began = performance.now();
  const outcome = (status: number, code?: string, broken = false): Outcome => ({
    name: killer.name,
    status,
    code,
    broken,
    milliseconds: Math.round(performance.now() - began),
  });
  let response: Response;
  try {
    response = await fetch(`${target.sparql}?timeout=${String(timeoutMs / 1000)}`, {
      method: 'POST',
      body,
      headers: { Authorization: `Bearer ${target.token}`, 'Content-Type': `application/sparql-${killer.kind}` },
    });
  } catch (error) {
    return outcome(0, String((error as Error).cause ?? error));
  }
  try {
    let beginning = '';
    for await (const chunk of response.body ?? [])
      if (response.status >= 400 && beginning.length < MOST_OF_ERROR) beginning += Buffer.from(chunk).toString();
    const code = /"code":"([A-Z_]+)"/.exec(beginning)?.[1];
    return outcome(response.status, code);
  } catch {
    return outcome(response.status, undefined, true);
  }
}

/**
 * Asks `/health` all the time. `stop` gives the longest time that an answer took, in milliseconds. Where the machine is busy with
 * other processes, only the time counts in which the main thread of the server had the processor.
 */
export function watchHealth({ url, busyMs }: Target): { stop(): Promise<number> } {
  let worst = 0;
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const began = performance.now();
      const busyBefore = busyMs();
      const ok = await fetch(`${url}/health`).then(
        async (response) => (await response.text(), response.ok),
        () => false,
      );
      const took = Math.min(performance.now() - began, busyMs() - busyBefore);
      worst = Math.max(worst, ok ? took : Infinity);
      if (!ok) return;
      await new Promise((done) => setTimeout(done, 40));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return Math.round(worst);
    },
  };
}

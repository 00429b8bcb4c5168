/** What maps tables, as the page sees it. Nothing of it is loaded before the first table. */
import { ApiError } from '../api/errors.js';
import { scriptAddress } from '../rows/script-address.js';
import type { Asked, FromTables, ToTables } from './protocol.js';

export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (share: number) => void;
}

/**
 * Asks a worker of its own, which ends when nobody waits for it.
 * @throws ApiError for what is wrong with the table or its mapping; AbortError on the signal
 */
export function askTables<Kind extends keyof Asked>(
  kind: Kind,
  of: Asked[Kind]['of'],
  { signal, onProgress }: AskOptions = {},
): Promise<Asked[Kind]['gives']> {
  const worker = new Worker(scriptAddress(new URL(TABLES_WORKER, import.meta.url)), { type: 'module', name: 'tables' });
  const answer = new Promise<Asked[Kind]['gives']>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<FromTables>) => {
      if (data.type === 'progress') onProgress?.(data.share);
      else if (data.type === 'failed') reject(new ApiError(data.problem));
      else resolve(data.value as Asked[Kind]['gives']);
    });
    // A script that could not be loaded has no message.
    worker.addEventListener('error', ({ message = '' }) =>
      reject(new ApiError({ status: 0, code: message === '' ? 'OFFLINE' : 'FAILED', message })),
    );
    signal?.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')), { once: true });
    worker.postMessage({ kind, of } as ToTables, []);
  });
  return answer.finally(() => worker.terminate());
}

/** `/backup`: a backup of the whole store, as a tar archive that is made while it is sent. */
import type { Database } from 'quadrille';
import { Reply } from '../../message/reply.js';
import type { Handlers, Service } from '../../service.js';
import { type Resource, form } from '../resource.js';

export const backupResource: Resource = {
  path: '/backup',
  features: ['backup'],
  handlers: backupRoute,
  methods: {
    POST: {
      access: 'operator',
      ...form(),
      summary: 'Back the store up (operators)',
      bodyless: true,
      gives: ['application/x-tar'],
    },
  },
};

const TAR = 'application/x-tar';

function backupRoute({ database, logger }: Service): Handlers {
  return {
    async POST() {
      const body = await backupStream(database, (error) => {
        const detail = error instanceof Error ? error.message : String(error);
        logger?.warn('a backup was broken off', { detail });
      });
      return new Reply(body, {
        headers: {
          'Content-Type': TAR,
          'Content-Disposition': 'attachment; filename="backup.tar"',
          'Cache-Control': 'no-store',
        },
      });
    },
  };
}

/**
 * The archive. Nothing is read of the store beyond what the client takes. A client that goes away ends the backup. Rejects with what keeps
 * the backup from beginning.
 */
async function backupStream(
  database: Database,
  onFailure: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const ending = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // The stream is aborted with the same error.
  database.backup(writable, { signal: ending.signal }).catch(onFailure);
  const reader = readable.getReader();
  let first: ReadableStreamReadResult<Uint8Array> | undefined = await reader.read();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await reader.read());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        ending.abort(reason);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Requests and answers of the Fetch standard. */
import { ChangedRequest } from '../message/request.js';
import type { Reply } from '../message/reply.js';

/** A request that can be abandoned. A `Request` alone is aborted by its sender only. */
export class FetchRequest extends ChangedRequest {
  readonly #controller = new AbortController();
  #signal: AbortSignal | undefined;

  constructor(private readonly request: Request) {
    super(request, request.method, request.body as AsyncIterable<Uint8Array> | null);
  }

  override get signal(): AbortSignal {
    return (this.#signal ??= AbortSignal.any([this.request.signal, this.#controller.signal]));
  }

  override abandon(reason: unknown): void {
    this.#controller.abort(reason);
  }
}

/** An answer as a `Response`. */
export function toResponse({ body: made, status, headers, onSent }: Reply): Response {
  const body = made instanceof ReadableStream && onSent !== undefined ? counted(made, onSent) : made;
  return new Response(body as BodyInit | null, { status, headers: [...headers] as [string, string][] });
}

/** Tells how many bytes were taken of a stream when it ends, fails or is cancelled. */
function counted(body: ReadableStream<Uint8Array>, onEnd: (bytes: number) => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd(bytes);
    isOver = true;
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start: (controller) => {
      // It may fail while nobody reads.
      reader.closed.catch((error: unknown) => {
        end();
        controller.error(error);
      });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (isOver) return;
      if (!done) {
        bytes += value.length;
        return controller.enqueue(value);
      }
      end();
      controller.close();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

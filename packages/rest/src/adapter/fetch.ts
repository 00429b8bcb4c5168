/** Requests and answers of the Fetch standard. */
import { ChangedRequest } from '../http/request.js';
import type { Reply } from '../http/reply.js';

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
export function toResponse({ body, status, headers }: Reply): Response {
  return new Response(body as BodyInit | null, { status, headers: [...headers] as [string, string][] });
}

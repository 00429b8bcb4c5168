/** Errors of the client. */

/**
 * What a server has refused, or why it could not be asked.
 * @since 0.1.0
 */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  /** The stable code of the server, such as `REPOSITORY_NOT_FOUND`; `FETCH_FAILED` where there was no answer; `ABORTED`. */
  readonly code: string;
  /** The status of the answer; 0 where there was none. */
  readonly status: number;
  /** Finds the request in the log of the server. */
  readonly requestId: string | undefined;
  /** What the server says beside its message, such as the place of a syntax error. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, told: ToldError & { readonly cause?: unknown }) {
    super(message, 'cause' in told ? { cause: told.cause } : undefined);
    this.code = told.code;
    this.status = told.status;
    this.requestId = told.requestId;
    this.details = told.details ?? {};
  }
}

interface ToldError {
  readonly code: string;
  readonly status: number;
  readonly requestId?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The error of an answer that is none of success. One that breaks off tells nothing: the connection was lost. */
export async function errorOf(response: Response, signal: AbortSignal | undefined): Promise<ClientError> {
  const { status, headers, url } = response;
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    return failureOf(url, cause, signal);
  }
  const { error, code, details } = membersOf(text);
  const message = typeof error === 'string' ? error : `the server answers ${String(status)}`;
  return new ClientError(message, {
    code: typeof code === 'string' ? code : 'FETCH_FAILED',
    status,
    requestId: headers.get('Request-Id') ?? undefined,
    details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : undefined,
  });
}

/** None where another program than Quadrille has answered. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The error of a request without a whole answer. */
export function failureOf(address: string, cause: unknown, signal: AbortSignal | undefined): ClientError {
  if (cause instanceof ClientError) return cause;
  if (signal?.aborted === true)
    return new ClientError('the caller aborted the call', { code: 'ABORTED', status: 0, cause });
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return new ClientError(`${address} cannot be reached: ${reason}`, { code: 'FETCH_FAILED', status: 0, cause });
}

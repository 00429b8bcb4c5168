/** What a request fails with. */

export interface Problem {
  /** 0 where no answer came. */
  readonly status: number;
  /** A stable code of the server, or `OFFLINE`. */
  readonly code: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly requestId?: string;
  /** Seconds, of 429 and 503. */
  readonly retryAfter?: number;
}

export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
    this.name = 'ApiError';
  }
}

/** Reads the error document of an answer. */
export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => '');
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const base = {
    status: response.status,
    code: `HTTP_${String(response.status)}`,
    message: text.slice(0, 500) || response.statusText,
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
  };
  try {
    const { error, code, line, column, requestId } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...base,
      ...(typeof error === 'string' ? { message: error } : {}),
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof line === 'number' ? { line } : {}),
      ...(typeof column === 'number' ? { column } : {}),
      ...(typeof requestId === 'string' ? { requestId } : {}),
    };
  } catch {
    return base;
  }
}

/** Any failure as a problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  return { status: 0, code: error instanceof TypeError ? 'OFFLINE' : 'FAILED', message };
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** The error for a context of JSON-LD that is not there. */
import { FetchError, QuadrilleError } from '@quadrille/model';

const SHOWN_CHARACTERS = 120;
/** Codes of fetchers for what the rules forbid. */
const FORBIDDEN: readonly unknown[] = ['URL_NOT_ALLOWED', 'BLOCKED_ADDRESS'];

/**
 * The error of a document whose context cannot be had: `URL_NOT_ALLOWED` if it may not be read, `BLOCKED_ADDRESS` if its host is private, otherwise
 * `FETCH_FAILED`.
 * @param address the address of the context
 * @param source the name of the document that asks for it
 * @param cause why it could not be loaded; none if nothing loads contexts
 */
export function contextFailure(address: string, source: string | undefined, cause?: unknown): FetchError {
  const place = source === undefined ? '' : `${source}: `;
  const context = `${place}the context <${address.slice(0, SHOWN_CHARACTERS)}>`;
  const details = { address, source };
  const isForbidden = cause === undefined || (cause instanceof QuadrilleError && FORBIDDEN.includes(cause.code));
  const reason = cause === undefined ? '' : `: ${cause instanceof Error ? cause.message : String(cause)}`;
  if (!isForbidden) {
    return new FetchError('FETCH_FAILED', `${context} could not be read${reason}`, { cause, details });
  }
  const code = cause instanceof FetchError ? cause.code : 'URL_NOT_ALLOWED';
  const ways = 'give it by the option contexts (--context ADDRESS=FILE), or allow fetching (loadDocument, --fetch)';
  return new FetchError(code, `${context} is remote and may not be fetched${reason}; ${ways}`, {
    cause,
    details,
  });
}

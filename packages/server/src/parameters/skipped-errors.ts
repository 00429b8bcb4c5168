/** The parameters `on-error` and `max-errors` of an import. */
import { refuseParameter } from '../http/index.js';
import type { ImportRequest } from '../host/index.js';

const MOST_ERRORS = 1_000_000;

/** @throws HttpError 400 */
export function errorOptions(parameters: URLSearchParams): Pick<ImportRequest, 'onError' | 'maxErrors'> {
  const mode = parameters.get('on-error')?.trim() ?? '';
  const most = parameters.get('max-errors')?.trim() ?? '';
  if (mode !== '' && mode !== 'skip' && mode !== 'fail')
    throw refuseParameter('on-error')(`on-error is skip or fail, not ${mode.slice(0, 50)}`);
  if (most === '') return mode === '' ? {} : { onError: mode };
  if (mode !== 'skip') throw refuseParameter('max-errors')('max-errors goes with on-error=skip');
  if (/^\d{1,7}$/.test(most) && Number(most) <= MOST_ERRORS) return { onError: mode, maxErrors: Number(most) };
  throw refuseParameter('max-errors')(`max-errors is a number up to ${String(MOST_ERRORS)}, not ${most.slice(0, 50)}`);
}

/** For requests that are no import of one document: they have no job that could tell what was skipped. @throws HttpError 400 */
export function refuseSkipping({ onError }: ReturnType<typeof errorOptions>): void {
  if (onError === 'skip')
    throw refuseParameter('on-error')('on-error=skip goes with one document, which PUT or POST sends');
}

/** The revision that gets a name: that of a new tag, and the first one of a new branch. */
import { refuseParameter } from '../http/index.js';
import type { Context } from '../context.js';
import { bodyText, MAX_METADATA_BYTES } from '../message/body.js';
import { oneRef, requireRevision, revisionRef } from './revision-ref.js';

/** The parameter of that name or `revision-id`, or the body; `undefined` where none of them names a revision. @throws HttpError 400 */
export async function namedRevision({ request, parameters }: Context, name: string): Promise<string | undefined> {
  requireRevision(parameters);
  const refs = [
    oneRef(parameters.get(name) ?? ''),
    revisionRef(parameters, request.headers),
    oneRef(await bodyText(request, MAX_METADATA_BYTES)),
  ].filter((ref) => ref !== undefined);
  if (refs.length > 1) throw refuseParameter(name)('the revision is named twice');
  return refs[0];
}

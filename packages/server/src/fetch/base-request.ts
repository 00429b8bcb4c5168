/** A request to a server that stands below a path of its host: the rest of the handler sees the path below it. */
import { belowBase, HttpError } from '../http/index.js';
import { Reply } from '../message/reply.js';
import { ChangedRequest, type HttpRequest, pathOfUrl, serverOfUrl } from '../message/request.js';

class BelowBase extends ChangedRequest {
  constructor(
    original: HttpRequest,
    private readonly below: string,
  ) {
    super(original, original.method);
  }

  override get url(): string {
    return this.below;
  }
}

/** @throws HttpError 404 for a path outside */
export function withoutBase(request: HttpRequest, base: string): HttpRequest {
  if (base === '') return request;
  const { url } = request;
  const path = pathOfUrl(url);
  const rest = belowBase(base, path);
  if (rest === undefined) throw new HttpError('NOT_FOUND', `there is nothing at ${path}`);
  const query = url.indexOf('?');
  return new BelowBase(request, serverOfUrl(url) + rest + (query < 0 ? '' : url.slice(query)));
}

/** `/rdf` leads to `/rdf/`: the relative links of a page there would lead elsewhere. The location is relative, for proxies. */
export function leadToBase({ method, url }: HttpRequest, base: string): Reply | undefined {
  if (base === '' || (method !== 'GET' && method !== 'HEAD') || pathOfUrl(url) !== base) return undefined;
  const query = url.indexOf('?');
  const Location = `${base.slice(base.lastIndexOf('/') + 1)}/${query < 0 ? '' : url.slice(query)}`;
  return new Reply(null, { status: 308, headers: { Location } });
}

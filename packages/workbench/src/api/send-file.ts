/** Sends a file, and tells how much of it was sent. */
import { transportInUse } from './client.js';

export interface FileRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly content: Blob;
  readonly signal?: AbortSignal;
  /** Gets the share that was sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** @throws TypeError where the connection was lost; AbortError on the signal */
export function sendFile(request: FileRequest): Promise<Response> {
  const { method, url, headers, content, signal, onProgress } = request;
  const init = { method, headers, body: content, ...(signal && { signal }) };
  const onTaken = (bytes: number): void => onProgress(content.size === 0 ? 1 : Math.min(1, bytes / content.size));
  return transportInUse()?.send(url, init, onTaken) ?? sendToServer(request);
}

/** `fetch` does not tell how much was sent. */
function sendToServer({ method, url, headers, content, signal, onProgress }: FileRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open(method, url);
    for (const [header, value] of headers) sending.setRequestHeader(header, value);
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    sending.addEventListener('load', () => resolve(responseOf(sending)));
    sending.addEventListener('error', () => reject(new TypeError('the connection was lost')));
    sending.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    signal?.addEventListener('abort', () => sending.abort(), { once: true });
    sending.send(content);
  });
}

function responseOf(sent: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of sent.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(sent.responseText === '' ? null : sent.responseText, { status: sent.status, headers });
}

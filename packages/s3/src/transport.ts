/** Sends requests to a bucket: signed, with a time limit, once. */

import { AwsV4Signer } from 'aws4fetch';
import type { Bytes } from '@quadrille/storage';
import type { Credentials } from './credentials.js';
import type { Place } from './place.js';
import { NoAnswer, type ObjectAnswer, type ObjectRequest, type Transport } from './object-request.js';
import { codeOf } from './s3-errors.js';

/** Bytes for which an attempt gets a second more. */
const BYTES_A_SECOND = 256 * 1024;

/** @param attemptMs limit of one attempt, in milliseconds; long bodies get more */
export function signedTransport(place: Place, credentials: Credentials, attemptMs: number): Transport {
  /** Keys of signatures of the present day. */
  const cache = new Map<string, ArrayBuffer>();
  /** The clock of the service minus the one of this machine, in milliseconds. */
  let skewMs = 0;

  const attempt = async (request: ObjectRequest): Promise<ObjectAnswer> => {
    const { method, key, query = {}, headers = {}, body } = request;
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = new URL(`${place.url}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, sessionToken } = await credentials.get();
    if (cache.size > 64) cache.clear();
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': await sha256(body) },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region: place.region,
      datetime: new Date(Date.now() + skewMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      cache,
    });
    const signed = await signer.sign();
    const limitMs = Math.ceil(attemptMs + ((body?.length ?? 0) / BYTES_A_SECOND) * 1000);
    try {
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(limitMs),
        ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, body: bytes };
    } catch (error) {
      throw noAnswer(error);
    }
  };

  return async (request) => {
    const answer = await attempt(request);
    if (answer.status !== 403 && answer.status !== 400) return answer;
    // A request that was refused has had no effect, so it may be sent again.
    const code = codeOf(answer);
    const date = Date.parse(answer.header('date') ?? '');
    if (code === 'RequestTimeTooSkewed' && !Number.isNaN(date)) {
      skewMs = date - Date.now();
      return attempt(request);
    }
    if (code === 'ExpiredToken' && credentials.expired()) return attempt(request);
    return answer;
  };
}

/** Nobody listens at the address, or the network does not lead there: nothing was sent. */
const NOT_SENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

function noAnswer(error: unknown): NoAnswer {
  const { message, cause } = error as Error;
  const { code, message: reason = message } = (cause ?? {}) as NodeJS.ErrnoException;
  return new NoAnswer(reason, !NOT_SENT.test(String(code)), error);
}

async function sha256(body: Bytes | undefined): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', (body ?? new Uint8Array(0)) as Uint8Array<ArrayBuffer>);
  return Buffer.from(digest).toString('hex');
}

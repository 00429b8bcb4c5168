/** Where a store is: `s3://bucket/prefix?endpoint=http://host:9000&region=eu-central-1`. */

import { InvalidArgumentError } from '@quadrille/model';

/** A bucket of a service, and the prefix of the store in it. */
export interface Place {
  /** The URL of the bucket, without a slash at the end. */
  readonly url: string;
  readonly bucket: string;
  /** Begins every key: empty, or with a slash at the end. */
  readonly prefix: string;
  readonly region: string;
}

const FORM = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const PREFIX = /^[\w!.*'()-]+(?:\/[\w!.*'()-]+)*$/;
const PARAMETERS = new Set(['endpoint', 'region']);

/** @throws InvalidArgumentError `INVALID_OPTION`. Its message does not repeat the URL, which may have secrets */
export function placeOf(url: string, env: Readonly<Record<string, string | undefined>>): Place {
  if (/^s3:\/\/[^/?#]*@/.test(url)) {
    throw invalid('has keys in it. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead');
  }
  const match = FORM.exec(url);
  if (match === null) throw invalid('does not have this form');
  const [, bucket = '', path = '', query = ''] = match;
  const prefix = path.replace(/\/$/, '');
  if (prefix !== '' && !PREFIX.test(prefix)) {
    throw invalid('has a prefix with characters other than letters, digits and -_.*!()');
  }
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!PARAMETERS.has(name)) throw invalid(`has a parameter ${name}, which is not known`);
  }
  const region = parameters.get('region') ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  const endpoint = parameters.get('endpoint') ?? env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  return { url: bucketUrl(bucket, region, endpoint), bucket, prefix: prefix === '' ? '' : `${prefix}/`, region };
}

function bucketUrl(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint === undefined) {
    if (!/^[a-z0-9-]+$/.test(region)) throw invalid('has a region with other characters than a-z, 0-9 and -');
    // The certificate of the service covers one label in front of its name.
    return bucket.includes('.')
      ? `https://s3.${region}.amazonaws.com/${bucket}`
      : `https://${bucket}.s3.${region}.amazonaws.com`;
  }
  let parsed: URL;
  try {
    parsed = new URL(endpoint);
  } catch {
    throw invalid('has an endpoint that is no URL');
  }
  if (!/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw invalid('has an endpoint that is more than http://host:port or https://host:port');
  }
  return `${parsed.href.replace(/\/$/, '')}/${bucket}`;
}

function invalid(what: string): InvalidArgumentError {
  return new InvalidArgumentError(
    'INVALID_OPTION',
    `The URL of the store ${what}. Write s3://bucket/prefix?endpoint=https://host:port&region=name; endpoint and region may be left out.`,
  );
}

/** Reads answers of ListObjectsV2. */

import { StorageError } from '@quadrille/model';
import type { ObjectAnswer } from './object-request.js';

export interface ListedObject {
  /** Without the prefix of the store. */
  readonly key: string;
  readonly bytes: number;
  readonly etag: string;
  /** By the clock of the service. */
  readonly ageSeconds: number;
}

export interface Listed {
  readonly objects: readonly ListedObject[];
  /** What keys begin with up to the delimiter, if one was given. */
  readonly folders: readonly string[];
  /** Where the list goes on; `undefined`: it is at its end. */
  readonly next: string | undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @throws StorageError `STORAGE_IO` if it is no such answer */
export function parseList(answer: ObjectAnswer, prefixLength: number): Listed {
  const xml = new TextDecoder().decode(answer.body);
  if (!xml.includes('<ListBucketResult')) {
    throw new StorageError('STORAGE_IO', 'Cannot list objects: the answer is not one of an object store.');
  }
  const now = Date.parse(answer.header('date') ?? '') || Date.now();
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, item = '']) => ({
    key: element(item, 'Key').slice(prefixLength),
    bytes: Number(element(item, 'Size')),
    etag: element(item, 'ETag'),
    ageSeconds: Math.max(0, (now - Date.parse(element(item, 'LastModified'))) / 1000),
  }));
  const folders = [...xml.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs)].map(([, item = '']) =>
    element(item, 'Prefix').slice(prefixLength),
  );
  const more = element(xml, 'IsTruncated') === 'true';
  return { objects, folders, next: more ? element(xml, 'NextContinuationToken') : undefined };
}

function element(xml: string, name: string): string {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return value.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal));
  });
}

/** `quadrille.json`: what a published store is, and the name of its start file. It is JSON, so that other programs can read it. */
import { CorruptionError, StateError } from '@quadrille/model';
import type { NameDigest } from '@quadrille/storage';
import { isDataFile, PUBLISHED_FORMAT, type PublishedFile } from './layout.js';

/** A repository of a published store. */
export interface PublishedRepository {
  /** `account/repository`. */
  readonly name: string;
  /** The head of `main`. */
  readonly revision: {
    /** Its number. */
    readonly number: number;
    /** Its UUID. */
    readonly id: string;
    /** When it was made (ISO 8601). */
    readonly time: string;
  };
  /** Quads of the head. */
  readonly quads: number;
  /** What is published of its history. */
  readonly history: 'none' | 'all' | number;
  /** Number of its erasures until then. */
  readonly erasures: number;
}

/** What `quadrille.json` says. */
export interface Manifest {
  /** Version of the form of the files. */
  readonly format: number;
  /** UUID of the store that was published. */
  readonly store: string;
  /** Version of the form of the entries. */
  readonly entries: number;
  /** What is published. */
  readonly repositories: readonly PublishedRepository[];
  /** The file that each opening reads. */
  readonly start: PublishedFile;
  /** Bytes of all data files. */
  readonly bytes: number;
  /** Whether its packs are small, for hosts that give whole files alone. */
  readonly small: boolean;
}

/** A manifest as the text of its file. The last member is a digest of the others. */
export function encodeManifest(manifest: Manifest, digest: NameDigest): string {
  return `${JSON.stringify({ ...manifest, checksum: sumOf(manifest, digest) }, undefined, 1)}\n`;
}

const utf8 = new TextEncoder();
const sumOf = (manifest: unknown, digest: NameDigest): string => digest(utf8.encode(JSON.stringify(manifest)));

/** @throws StateError `NOT_A_STORE`; CorruptionError `FORMAT_VERSION`, `CHECKSUM` */
export function decodeManifest(text: string, digest: NameDigest, where: string): Manifest {
  const given = parsed(text);
  if (
    typeof given !== 'object' ||
    given === null ||
    typeof (given as Manifest).format !== 'number' ||
    !('start' in given)
  )
    throw new StateError('NOT_A_STORE', `${where} is not the manifest of a published store`);
  const { checksum, ...manifest } = given as Manifest & { checksum: unknown };
  if (manifest.format > PUBLISHED_FORMAT)
    throw new CorruptionError(
      'FORMAT_VERSION',
      `${where} has form ${manifest.format}, and this version reads up to ${PUBLISHED_FORMAT}: take a newer version of Quadrille`,
    );
  if (checksum !== sumOf(manifest, digest) || !isDataFile(manifest.start?.name))
    throw new CorruptionError('CHECKSUM', `${where} does not match its checksum: it was changed, or cut off`);
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

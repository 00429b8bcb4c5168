/**
 * The start file: what every opening needs, in one file. It lists all data files, and the first keys of the pages of the directory. Then
 * come copies of the pages and chunks that an opening reads.
 */
import type { Place, PublishedFile } from './layout.js';
import { decodeLocated, encodeLocated, type Located } from './directory.js';
import { VarintReader, VarintWriter } from './varints.js';

export interface Start {
  readonly files: readonly PublishedFile[];
  readonly pages: readonly Located[];
  /** Bytes as they stand at their places. */
  readonly copies: readonly { readonly place: Place; readonly stored: Uint8Array }[];
}

const DIGEST_BYTES = 16;
const SUFFIX = '.pack';

export function encodeStart({ files, pages, copies }: Start): Uint8Array {
  const writer = new VarintWriter().number(files.length);
  for (const { name } of files) writer.raw(fromHex(name.slice(0, DIGEST_BYTES * 2)));
  for (const { bytes } of files) writer.number(bytes);
  writer.bytes(encodeLocated(pages)).number(copies.length);
  for (const { place } of copies) writer.number(place.file).number(place.at).number(place.bytes);
  for (const { stored } of copies) writer.raw(stored);
  return writer.finish();
}

/** @throws RangeError if the bytes are no start file */
export function decodeStart(bytes: Uint8Array): Start {
  const reader = new VarintReader(bytes);
  const count = reader.number();
  const names = Array.from({ length: count }, () => hexOf(reader.raw(DIGEST_BYTES)) + SUFFIX);
  const files = names.map((name) => ({ name, bytes: reader.number() }));
  const pages = decodeLocated(reader.bytes());
  const places = Array.from({ length: reader.number() }, () => ({
    file: reader.number(),
    at: reader.number(),
    bytes: reader.number(),
  }));
  return { files, pages, copies: places.map((place) => ({ place, stored: reader.raw(place.bytes) })) };
}

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16));

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

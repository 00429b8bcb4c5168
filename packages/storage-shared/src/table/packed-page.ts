/**
 * A page of a table: neighbouring entries in one array of bytes, because an object for each key and value takes ten times as much
 * memory. Entries stand in any order at the beginning, and their places, in the order of the keys, at the end. The bytes of an entry
 * never change: another value is another entry, and a new array leaves out what is in use no longer.
 *
 *     entry   u8 length of the key - 1 · u16 length of the value · key · value
 *             u8 length of the key - 1 · u16 ffff · key · u16 pack, in the list of the page · u32 from · u32 length
 *     place   u16, the first one last
 */

import { isValue, type HeldPack, type Slot } from './slot.js';
import type { Bytes, Chunk } from '@quadrille/storage';

/** Beyond this size, in bytes, a page is split. A larger one makes changes slower, a smaller one has more overhead. */
const MAX_PAGE = 8192;
const HEAD = 3;
const PLACE = 10;
const IN_PACK = 0xffff;

export class PackedPage implements Chunk<Slot> {
  #bytes: Uint8Array;
  /** Where the entries end. */
  #used = 0;
  /** How many bytes of them are in use no longer. */
  #dead = 0;
  #length = 0;
  #packs: HeldPack[] = [];

  constructor(
    readonly epoch: number,
    capacity = 256,
  ) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  get fill(): number {
    return (this.#used - this.#dead + 2 * this.#length) / MAX_PAGE;
  }

  compare(index: number, key: Bytes): number {
    const bytes = this.#bytes;
    const entry = this.#at(index);
    const length = bytes[entry]! + 1;
    const shared = Math.min(length, key.length);
    for (let i = 0; i < shared; i++) {
      const difference = bytes[entry + HEAD + i]! - key[i]!;
      if (difference !== 0) return difference;
    }
    return length - key.length;
  }

  /** A part of the array, as the value is: who keeps it for long copies it. */
  key(index: number): Bytes {
    const from = this.#at(index) + HEAD;
    return new Uint8Array(this.#bytes.buffer, from, this.#bytes[from - HEAD]! + 1);
  }

  value(index: number): Slot {
    const entry = this.#at(index);
    const from = entry + HEAD + this.#bytes[entry]! + 1;
    const length = this.#u16(entry + 1);
    if (length !== IN_PACK) return new Uint8Array(this.#bytes.buffer, from, length);
    return { pack: this.#packs[this.#u16(from)]!, from: this.#u32(from + 2), length: this.#u32(from + 6) };
  }

  insert(index: number, key: Bytes, value: Slot): void {
    const bytes = this.#room(sizeOf(key, value) + 2);
    const end = bytes.length;
    bytes.copyWithin(end - 2 * this.#length - 2, end - 2 * this.#length, end - 2 * index);
    this.#length++;
    this.#append(index, key, value);
  }

  replace(index: number, value: Slot): void {
    const key = this.key(index);
    this.#room(sizeOf(key, value));
    this.#dead += this.#size(index);
    this.#append(index, key, value);
    this.#shrink();
  }

  cut(from: number, to: number): void {
    for (let i = from; i < to; i++) this.#dead += this.#size(i);
    const end = this.#bytes.length;
    this.#bytes.copyWithin(end - 2 * (this.#length - to + from), end - 2 * this.#length, end - 2 * to);
    this.#length -= to - from;
    this.#shrink();
  }

  copy(epoch: number): PackedPage {
    return this.#part(epoch, 0);
  }

  split(index: number, epoch: number): PackedPage {
    const rest = this.#part(epoch, index);
    this.cut(index, this.#length);
    return rest;
  }

  #part(epoch: number, from: number): PackedPage {
    let needed = 0;
    for (let i = from; i < this.#length; i++) needed += this.#size(i) + 2;
    const part = new PackedPage(epoch, withReserve(needed));
    for (let i = from; i < this.#length; i++) part.#adopt(this, i);
    return part;
  }

  /** Appends an entry of another page. */
  #adopt(page: PackedPage, index: number): void {
    const from = page.#at(index);
    const size = page.#size(index);
    const at = this.#used;
    this.#bytes.set(page.#bytes.subarray(from, from + size), at);
    this.#used += size;
    this.#point(this.#length++, at);
    if (this.#u16(at + 1) === IN_PACK) {
      const place = at + size - PLACE;
      this.#put16(place, this.#numberOf(page.#packs[this.#u16(place)]!));
    }
  }

  /** Values may become places, which are shorter. */
  #shrink(): void {
    if (this.#dead > this.#bytes.length / 4) this.#rebuild(0);
  }

  /** The bytes, with room for so many more. */
  #room(bytes: number): Uint8Array {
    if (this.#used + bytes + 2 * this.#length > this.#bytes.length) this.#rebuild(bytes);
    return this.#bytes;
  }

  #rebuild(more: number): void {
    const capacity = withReserve(this.#used - this.#dead + 2 * this.#length + more);
    const to = new PackedPage(this.epoch, capacity);
    if (this.#dead === 0) {
      to.#bytes.set(this.#bytes.subarray(0, this.#used));
      to.#bytes.set(this.#bytes.subarray(this.#bytes.length - 2 * this.#length), capacity - 2 * this.#length);
      this.#bytes = to.#bytes;
      return;
    }
    for (let i = 0; i < this.#length; i++) to.#adopt(this, i);
    this.#bytes = to.#bytes;
    this.#used = to.#used;
    this.#dead = 0;
    this.#packs = to.#packs;
  }

  /** Writes an entry behind the others, for which there is room. */
  #append(index: number, key: Bytes, value: Slot): void {
    let at = this.#used;
    this.#point(index, at);
    this.#used += sizeOf(key, value);
    this.#bytes[at] = key.length - 1;
    this.#put16(at + 1, isValue(value) ? value.length : IN_PACK);
    this.#bytes.set(key, at + HEAD);
    at += HEAD + key.length;
    if (isValue(value)) {
      this.#bytes.set(value, at);
    } else {
      this.#put16(at, this.#numberOf(value.pack));
      this.#put32(at + 2, value.from);
      this.#put32(at + 6, value.length);
    }
  }

  /** The number of a pack in the list of the page. Neighbours are often in one pack. */
  #numberOf(pack: HeldPack): number {
    const packs = this.#packs;
    if (packs.at(-1) === pack) return packs.length - 1;
    const known = packs.indexOf(pack);
    return known >= 0 ? known : packs.push(pack) - 1;
  }

  /** Where an entry is. */
  #at(index: number): number {
    return this.#u16(this.#bytes.length - 2 * index - 2);
  }

  #size(index: number): number {
    const entry = this.#at(index);
    const length = this.#u16(entry + 1);
    return HEAD + this.#bytes[entry]! + 1 + (length === IN_PACK ? PLACE : length);
  }

  #point(index: number, at: number): void {
    this.#put16(this.#bytes.length - 2 * index - 2, at);
  }

  #u16(at: number): number {
    return this.#bytes[at]! | (this.#bytes[at + 1]! << 8);
  }

  #u32(at: number): number {
    return this.#u16(at) + this.#u16(at + 2) * 0x1_0000;
  }

  #put16(at: number, value: number): void {
    this.#bytes[at] = value;
    this.#bytes[at + 1] = value >>> 8;
  }

  #put32(at: number, value: number): void {
    this.#put16(at, value);
    this.#put16(at + 2, value >>> 16);
  }
}

const sizeOf = (key: Bytes, value: Slot): number => HEAD + key.length + (isValue(value) ? value.length : PLACE);

/** A page that grows is copied again and again: an eighth more makes that rare. */
const withReserve = (bytes: number): number => bytes + (bytes >>> 3) + 32;

/**
 * The contract of stores that several servers share. A {@link SharedDriver} needs four abilities of a service:
 * - it appends at a position if that is free;
 * - it replaces a small value if that is unchanged;
 * - it keeps packs, which never change;
 * - it answers what is new.
 *
 * The log orders all changes, so no clock and no lock decides who is right.
 */

import type { Bytes } from '@quadrille/storage';

/** Longest body of an entry, in bytes. A longer change is stored in packs, to which its entry refers. */
export const MAX_ENTRY_BYTES = 1024 * 1024;
/** Longest pack, in bytes. */
export const MAX_PACK_BYTES = 8 * 1024 * 1024;

/** An entry of a log. Positions are 1, 2, 3, … without a gap. */
export interface LogEntry {
  /** Its place in the log, from 1. */
  readonly position: number;
  /** UUID in lower case, new for each entry. */
  readonly id: string;
  /** The epoch of the writer, from 1. An entry whose epoch is below that of an earlier entry is void. */
  readonly epoch: number;
  /** The change; at most {@link MAX_ENTRY_BYTES}. A fence has an empty body. */
  readonly body: Bytes;
}

/** An entry that is to be appended. */
export interface NewEntry extends LogEntry {
  /** The number of the log, from 0. */
  readonly log: number;
  /** The id of the entry at the position before; `undefined` at position 1. */
  readonly previous: string | undefined;
}

/**
 * - `ok`: the entry is at its position, now or since an earlier call with the same id.
 * - `taken`: another entry is there, or another one is before it.
 * - `gone`: no entry is at the position before. It was trimmed, or the service has lost it.
 * - `unknown`: the entry may be there or may still arrive. Append the same entry again to find out.
 */
export type AppendOutcome = 'ok' | 'taken' | 'gone' | 'unknown';

/** A small value of a log that is replaced as a whole. */
export interface Root {
  /** The number of replacements, from 1. */
  readonly version: number;
  /** The value; at most 64 KiB. */
  readonly body: Bytes;
}

/** What a reader knows of a log. */
export interface Known {
  /** The number of the log. */
  readonly log: number;
  /** The last position that it has read; 0: none. */
  readonly after: number;
  /** The id of the entry there; `undefined`: none, or not known. */
  readonly id?: string | undefined;
  /** The version of the root that it has read; 0: none. */
  readonly rootVersion: number;
}

/** What is new in a log. */
export interface Change {
  /** The number of the log. */
  readonly log: number;
  /** Entries behind `after`, by position. If the first one is not `after + 1`, the entries between were trimmed. */
  readonly entries: readonly LogEntry[];
  /** Whether there are more entries. Ask again behind the last one. */
  readonly more: boolean;
  /** The root, if its version is not the known one. It is not older than the entries. */
  readonly root: Root | undefined;
  /** Whether the service has lost the known entry: its log ends before it, or has another entry there. */
  readonly lost: boolean;
}

/** An immutable value. */
export interface Pack {
  /** UUID in lower case. It is never used twice. */
  readonly id: string;
  /** At most {@link MAX_PACK_BYTES}. */
  readonly bytes: Bytes;
}

/** A part of a pack. */
export interface PackSlice {
  /** The id of the pack. */
  readonly pack: string;
  /** Its first byte. */
  readonly from: number;
  /** Its length in bytes. */
  readonly length: number;
}

/** A pack in a list. */
export interface PackInfo {
  /** The id of the pack. */
  readonly id: string;
  /** Its length in bytes. */
  readonly bytes: number;
  /** Its age in seconds, by the clock of the store. */
  readonly ageSeconds: number;
}

/** The sign of life of a server. */
export interface Heartbeat {
  /** UUID of the server process. */
  readonly server: string;
  /** What others should know of it; at most 4 KiB. */
  readonly body: Bytes;
}

/** A server that has given a sign of life. */
export interface ServerBeat extends Heartbeat {
  /** How often it has done so. A count that stands still means that the server is away. */
  readonly beats: number;
}

/** What a sign of life hears that has looked for news. */
export interface HeardBeats {
  /** As {@link SharedDriver.servers}. */
  readonly servers: readonly ServerBeat[];
  /** Whether the log has something new. */
  readonly news: boolean;
}

/**
 * A service that several servers share. Failures reject with any Error. A call that rejects has either had its whole
 * effect or none; for `append` and `casRoot` use `unknown` where that is not known. All calls may run side by side.
 */
export interface SharedDriver {
  /** Name for error messages: `memory`, `postgres`, … */
  readonly name: string;
  /** Connects, and creates what is missing. All other calls come after it. */
  open(): Promise<void>;
  /** Disconnects, after all calls have ended. */
  close(): Promise<void>;
  /** Appends an entry, if its position is free and `previous` is at the position before. */
  append(entry: NewEntry): Promise<AppendOutcome>;
  /** What is new in each log; without logs that have not changed. Sees every append and replacement that ended before. */
  check(known: readonly Known[]): Promise<readonly Change[]>;
  /** Replaces the root, if its version is still `version` (0: there is none). */
  casRoot(log: number, body: Bytes, version: number): Promise<'ok' | 'conflict' | 'unknown'>;
  /** Stores packs. They stay if the caller dies before an entry refers to them. To store the same pack again does nothing. */
  putPacks(log: number, packs: readonly Pack[]): Promise<void>;
  /** Parts of packs in the order of `slices`; `undefined` for a pack that is not there. */
  getPacks(log: number, slices: readonly PackSlice[]): Promise<readonly (Bytes | undefined)[]>;
  /** All packs of a log. */
  listPacks(log: number): Promise<readonly PackInfo[]>;
  /** Deletes packs. Those that are not there do not matter. */
  deletePacks(log: number, ids: readonly string[]): Promise<void>;
  /** Deletes the entries before a position, but never the last entry of the log. */
  trim(log: number, before: number): Promise<void>;
  /** Tells that a server lives, and answers as {@link servers}. */
  heartbeat(self: Heartbeat): Promise<readonly ServerBeat[]>;
  /**
   * As {@link heartbeat}, and looks in the same call whether a log has something new: later entries, another root, or
   * another entry at the known position. Missing: the caller asks by {@link check}.
   */
  heartbeatAndLook?(self: Heartbeat, known: Known): Promise<HeardBeats>;
  /** All servers that ever gave a sign of life and have not been forgotten. */
  servers(): Promise<readonly ServerBeat[]>;
  /** Forgets a server. */
  forget(server: string): Promise<void>;
  /** After it, what was visible before the call survives the loss of the present primary server of the service. */
  barrier(): Promise<void>;
}

/** What is measured of a store, ours or another: each driven through the interface that its own documentation shows. */
import type * as RDF from '@rdfjs/types';
import type { Durability } from 'quadrille';
import type { QueryBackend } from '../sparql/backend.js';
import type { Meters } from '../workload.js';
import type { Stream } from './streams.js';

export type Visit = (quad: RDF.Quad) => void;

export interface OpenStore {
  /** All of a file of N-Quads or N-Triples. */
  load(file: string): Promise<void>;
  size(): Promise<number>;
  scan(visit: Visit): Promise<void>;
  lookup(subject: RDF.NamedNode, visit: Visit): Promise<void>;
  /** Where it is an RDF/JS Source: the same call, and the same listener, whichever store answers. */
  readonly match?: (subject?: RDF.NamedNode) => Stream<RDF.Quad>;
  /** One commit, where the store has commits. */
  add(quads: readonly RDF.Quad[]): Promise<void>;
  /** SPARQL. */
  readonly run?: QueryBackend['run'];
  /** Where old states can be read. */
  readonly history?: {
    /** The present state. */
    revision(): Promise<number>;
    lookup(revision: number, subject: RDF.NamedNode, visit: Visit): Promise<void>;
  };
  /** What a server of its own has used so far. */
  readonly server?: () => Meters;
  close(): Promise<void>;
}

/** Loads come before all others; each of the others begins with the loaded data. */
export const PHASES = ['load', 'read', 'write', 'queries'] as const;
export type Phase = (typeof PHASES)[number];

export interface StoreKind {
  readonly name: string;
  /** The path of the module that it comes from, where it is the user's own: what it is found by instead of its name. */
  readonly module?: string;
  readonly title: string;
  /** One of ours, or another store. */
  readonly role: 'backend' | 'peer';
  /** Whether the data are there after the process ended. */
  readonly persistent: boolean;
  readonly phases: readonly Phase[];
  /** What has to be installed; the first names the version. */
  readonly packages: readonly string[];
  /** A program that has to be in the PATH, its version (`undefined` where it is not there), and how one gets it. */
  readonly program?: { readonly name: string; readonly get: string; version(): string | undefined };
  /** How `scan` and `lookup` read it. */
  readonly read?: string;
  /** How one takes it, for whoever decides for it. */
  readonly use?: string;
  /** What one has to know of its figures. */
  readonly note?: string;
  /** `durability` tells those that can wait for the disk whether to; by default they do. */
  open(directory: string, durability?: Durability): Promise<OpenStore>;
}

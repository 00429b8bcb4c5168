/** The interface of a measured store, ours or another. Each store is called as its documentation shows. */
import type * as RDF from '@rdfjs/types';
import type { Durability } from 'quadrille';
import type { QueryBackend } from '../sparql/backend.js';
import type { Meters } from '../workload.js';
import type { Stream } from './streams.js';

export type Visit = (quad: RDF.Quad) => void;

export interface OpenStore {
  /** Loads all data of a file with N-Quads or N-Triples. */
  load(file: string): Promise<void>;
  size(): Promise<number>;
  scan(visit: Visit): Promise<void>;
  lookup(subject: RDF.NamedNode, visit: Visit): Promise<void>;
  /** Exists if the store is an RDF/JS Source. The same call and listener are used for every store. */
  readonly match?: (subject?: RDF.NamedNode) => Stream<RDF.Quad>;
  /** Adds quads as one commit, if the store has commits. */
  add(quads: readonly RDF.Quad[]): Promise<void>;
  /** Answers SPARQL queries. */
  readonly run?: QueryBackend['run'];
  /** Exists if old states can be read. */
  readonly history?: {
    /** The number of the present revision. */
    revision(): Promise<number>;
    lookup(revision: number, subject: RDF.NamedNode, visit: Visit): Promise<void>;
  };
  /** CPU time and memory of the store's own server so far. */
  readonly server?: () => Meters;
  close(): Promise<void>;
}

/** Loads come first. Each of the other phases begins with the loaded data. */
export const PHASES = ['load', 'read', 'write', 'queries'] as const;
/** One phase of a comparison. */
export type Phase = (typeof PHASES)[number];

/** A kind of store that can be measured. */
export interface StoreKind {
  /** The name by which the command chooses the store. */
  readonly name: string;
  /** Path of the module of a user's backend, by which it is found instead of its name. */
  readonly module?: string;
  /** The name for readers. */
  readonly title: string;
  /** A backend of Quadrille, or another store. */
  readonly role: 'backend' | 'peer';
  /** Whether the data remain after the process has ended. */
  readonly persistent: boolean;
  /** The phases that the store supports. */
  readonly phases: readonly Phase[];
  /** Packages that must be installed. The first one has the version of the store. */
  readonly packages: readonly string[];
  /** A program that must be in the PATH, its version (`undefined` if it is missing), and how to install it. */
  readonly program?: {
    /** The name of the program. */
    readonly name: string;
    /** How to install it. */
    readonly get: string;
    /** Its version, or `undefined` if it is missing. */
    version(): string | undefined;
  };
  /** The calls that `scan` and `lookup` use. */
  readonly read?: string;
  /** How to use the store, for readers who choose it. */
  readonly use?: string;
  /** What to consider when reading its figures. */
  readonly note?: string;
  /**
   * Opens an empty store in a directory.
   * @param durability whether the store waits for the disk, if it can. Default: it waits.
   */
  open(directory: string, durability?: Durability): Promise<OpenStore>;
}

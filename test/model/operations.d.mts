import type * as RDF from '@rdfjs/types';
import type { CommitInfo, QuadReader, Ref, Repository, Revision, Snapshot, TermPattern } from '@quadrille/core';

export type Random = () => number;
/** N-Quads lines. */
export type State = ReadonlySet<string>;
export interface TextPattern {
  readonly s?: string;
  readonly p?: string;
  readonly o?: string;
  readonly g?: string;
}
export type Operation =
  | { readonly kind: 'change'; readonly added: readonly string[]; readonly removed: readonly string[] }
  | { readonly kind: 'removeMatches'; readonly pattern: TextPattern }
  | {
      readonly kind: 'load';
      readonly lines: readonly string[];
      readonly replace: boolean;
      readonly graph?: string;
      /** A syntax error at its end. */
      readonly broken?: boolean;
    }
  | { readonly kind: 'revert'; readonly number: number }
  | { readonly kind: 'compact' }
  | { readonly kind: 'rebuild' };
export interface Words {
  subjects: string[];
  predicates: string[];
  objects: string[];
  graphs: string[];
}

export function pick<T>(random: Random, list: readonly T[]): T;
export function below(random: Random, limit: number): number;
export function vocabulary(random: Random, options?: { long?: boolean }): Words;
export function lineOf(s: string, p: string, o: string, g: string): string;
export function randomQuad(random: Random, words: Words): string;
export function randomQuads(random: Random, words: Words, most: number): string[];
export function randomPattern(random: Random, words: Words, mask?: number): TextPattern;
export function someOf(random: Random, state: State, most: number): string[];
export function randomOperation(random: Random, words: Words, states: readonly State[], most?: number): Operation;
export function quadOf(line: string): { line: string; texts: [string, string, string, string]; quad: RDF.Quad };
export function termOf(text: string): RDF.Term;
export function termsOf(pattern: TextPattern): TermPattern;
export function matches(pattern: TextPattern, line: string): boolean;
export function matching(pattern: TextPattern, state: State): string[];
export function loadedLines(operation: Operation & { kind: 'load' }, prefix: string): string[];
export function applied(states: readonly State[], operation: Operation, prefix?: string): State;
export function difference(x: State, y: State): string[];
export function sameSet(x: State, y: State): boolean;
export function perform(
  repository: Repository,
  operation: Operation,
  info?: CommitInfo,
  prefix?: string,
): Promise<Revision>;
export function readLines(reader: QuadReader | undefined): Promise<Set<string>>;
export function readState(
  snapshot: Snapshot,
  pattern?: { s: number; p: number; o: number; g: number },
): Promise<Set<string>>;
export function stateAt(repository: Repository, ref: Ref): Promise<Set<string>>;
export function differenceText(actual: State, expected: State): string | undefined;

/** Data of one shape and queries about them. The same seed gives the same data and queries. */
import type { Random } from '../generate/random.js';

export const NAMESPACE = 'http://shape.example/';

/** Makes a query with random parameters. */
export type Template = (draw: Random) => string;

export interface Shape {
  readonly name: string;
  /** Lines of N-Quads. */
  quads(draw: Random): Iterable<string>;
  /** Queries without their prefixes, by name. */
  readonly templates: Readonly<Record<string, Template>>;
}

export const iri = (name: string): string => `<${NAMESPACE}${name}>`;
/** A line of N-Quads. A number becomes an integer. */
export const quad = (s: string, p: string, o: string | number, g?: string): string =>
  `${iri(s)} ${iri(p)} ${typeof o === 'number' ? integer(o) : o}${g === undefined ? '' : ` ${iri(g)}`} .\n`;
export const text = (value: string): string => `"${value}"`;
export const typed = (value: string, type: string): string => `"${value}"^^<http://www.w3.org/2001/XMLSchema#${type}>`;
const integer = (value: number): string => typed(String(value), 'integer');

/** A number below `end`. Small numbers are much more frequent. */
export const skewed = (draw: Random, end: number): number => Math.floor(end * draw.next() ** 4);

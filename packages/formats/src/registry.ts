/** The formats that are known, found by media type, file extension or name. */
import { InvalidArgumentError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { JsonLdWriteOptions } from './json-ld-options.js';
import type { AsyncParserOptions, AsyncRdfParser, ParserOptions, FastParser, RdfParser } from './parser.js';

export interface SerializerOptions {
  /** Prefixes of Turtle and TriG, name to IRI. Others ignore them. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** Canonical N-Triples and N-Quads (RDF 1.2): language tags are lower case. Others ignore it. Default false. */
  readonly canonical?: boolean | undefined;
  /** How JSON-LD is written. Others ignore it. */
  readonly jsonLd?: JsonLdWriteOptions | undefined;
}

/** Writes quads as text, batch by batch. */
export interface RdfSerializer {
  /** The text of these quads; with the first batch also the head of the document. */
  write(quads: readonly RDF.Quad[]): string;
  /** What ends the document. Call it once. */
  end(): string;
}

/** One RDF format: what it is called and how it is read and written. */
export interface RdfFormat {
  readonly name: string;
  /** The first one is canonical. Lower case, without parameters. */
  readonly mediaTypes: readonly string[];
  /** Without a dot, lower case; the first one is canonical. */
  readonly extensions: readonly string[];
  /** Whether it can name graphs. Where not, a serialiser leaves graph names out. */
  readonly namedGraphs: boolean;
  /**
   * Address of a module that exports the format (`import.meta.url` where it is made), so that a thread can parse long
   * documents. Without it they are parsed where they are asked for.
   */
  readonly module?: string;
  /** Brings in what `createParser` needs; to be awaited before it, where it is there. */
  load?(): Promise<void>;
  createParser?(options: ParserOptions): RdfParser;
  /** Instead of `createParser`, for a format that has to wait; see {@link openParser}. */
  createAsyncParser?(options: AsyncParserOptions): AsyncRdfParser;
  /** What is worth trying before a thread is started; `createParser` goes on with `readSoFar`. */
  createFastParser?(options: ParserOptions): FastParser;
  createSerializer?(options?: SerializerOptions): RdfSerializer;
}

/** A format found by a file name. */
export interface FileFormat {
  readonly format: RdfFormat;
  /** Whether the name ends with `.gz`. */
  readonly gzip: boolean;
}

export class FormatRegistry {
  readonly #formats: RdfFormat[] = [];

  /** Adds a format; where a media type, an extension or a name is already known, the new one is found first. */
  register(format: RdfFormat): void {
    this.#formats.unshift(format);
  }

  /** Puts a format in the place of the one of its name, or adds it. */
  replace(format: RdfFormat): void {
    const at = this.#formats.findIndex(({ name }) => name === format.name);
    if (at === -1) this.register(format);
    else this.#formats[at] = format;
  }

  /** All formats, those registered first in front. */
  list(): readonly RdfFormat[] {
    return this.#formats.toReversed();
  }

  /**
   * The format of a media type; its parameters and case do not matter.
   * @throws InvalidArgumentError `INVALID_OPTION`, with what is known.
   */
  byMediaType(type: string): RdfFormat {
    const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
    const format = this.#formats.find((candidate) => candidate.mediaTypes.includes(essence));
    if (format === undefined) throw this.#unknown('media type', type, (known) => known.mediaTypes);
    return format;
  }

  /**
   * The format of a file name, path or extension, with or without `.gz`.
   * @throws InvalidArgumentError `INVALID_OPTION`, with what is known.
   */
  byExtension(fileName: string): FileFormat {
    const lower = fileName.toLowerCase();
    const gzip = lower.endsWith('.gz');
    const plain = gzip ? lower.slice(0, -3) : lower;
    const extension = plain.slice(plain.lastIndexOf('.') + 1);
    const format = this.#formats.find((candidate) => candidate.extensions.includes(extension));
    if (format === undefined) throw this.#unknown('file extension', fileName, (known) => known.extensions);
    return { format, gzip };
  }

  /**
   * The format that a person means: by name, media type or extension.
   * @throws InvalidArgumentError `INVALID_OPTION`, with what is known.
   */
  find(nameOrTypeOrExtension: string): RdfFormat {
    const wanted = nameOrTypeOrExtension.trim().toLowerCase();
    const named = this.#formats.find((candidate) => squeeze(candidate.name) === squeeze(wanted));
    if (named !== undefined) return named;
    if (wanted.includes('/')) return this.byMediaType(wanted);
    const extension = wanted.startsWith('.') ? wanted.slice(1) : wanted;
    const format = this.#formats.find((candidate) => candidate.extensions.includes(extension));
    if (format === undefined) throw this.#unknown('format', nameOrTypeOrExtension, (known) => [known.name]);
    return format;
  }

  #unknown(what: string, value: string, keys: (format: RdfFormat) => readonly string[]): InvalidArgumentError {
    const shown = value.length > 100 ? `${value.slice(0, 100)}…` : value;
    const known = this.list().flatMap(keys).join(', ');
    return new InvalidArgumentError('INVALID_OPTION', `unknown ${what} ${JSON.stringify(shown)}; known: ${known}`);
  }
}

// "N-Triples", "ntriples" and "n triples" are one name.
function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Finds formats by media type, file extension or name. */
import { InvalidArgumentError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { JsonLdWriteOptions } from './json-ld-options.js';
import type { AsyncParserOptions, AsyncRdfParser, ParserOptions, FastParser, RdfParser } from './parser.js';
import type { Packing } from './text/packing.js';

/** Options of serialisers. */
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
  /** The end of the document. Call it once. */
  end(): string;
}

/**
 * An RDF format: its names, its parsers and its serialiser.
 * @since 0.1.0
 */
export interface RdfFormat {
  /** Its name, such as `Turtle`. */
  readonly name: string;
  /** Its media types. The first one is canonical. Lower case, without parameters. */
  readonly mediaTypes: readonly string[];
  /** Its file extensions without a dot, lower case; the first one is canonical. */
  readonly extensions: readonly string[];
  /** Whether the format has named graphs. If not, its serialiser omits graph names. */
  readonly namedGraphs: boolean;
  /**
   * URL of the module that exports the format (`import.meta.url`). A thread imports it to parse long documents. Without it
   * the calling thread parses them.
   */
  readonly module?: string;
  /** Loads the modules that `createParser` needs. If it exists, await it before `createParser`. */
  load?(): Promise<void>;
  /** Creates a parser. A format without one of the parsers can only be written. */
  createParser?(options: ParserOptions): RdfParser;
  /** Replaces `createParser` in formats whose parsers wait. */
  createAsyncParser?(options: AsyncParserOptions): AsyncRdfParser;
  /** Creates a parser to try before a thread is started. `createParser` continues with its `readSoFar`. */
  createFastParser?(options: ParserOptions): FastParser;
  /** Creates a serialiser. A format without one can only be read. */
  createSerializer?(options?: SerializerOptions): RdfSerializer;
}

/** A format found by a file name. */
export interface FileFormat {
  /** The format. */
  readonly format: RdfFormat;
  /** Whether the name ends with `.gz`. */
  readonly gzip: boolean;
  /** How a file of this name is compressed: `.gz`, `.bz2`, `.zst`. */
  readonly packing: Packing | undefined;
}

const PACKINGS: Readonly<Record<string, Packing>> = { gz: 'gzip', bz2: 'bzip2', zst: 'zstd' };

/**
 * Media types of documents whose sender does not know the format, or names only what JSON and XML have in common. The extension of the file then
 * has priority.
 */
const UNSPECIFIC =
  /^(?:text\/(?:plain|json|xml)|application\/(?:octet-stream|x-gzip|gzip|json|xml|x-www-form-urlencoded)|binary\/octet-stream)?$/;

/** Whether the extension of a file says more than a media type, which is in lower case and without parameters. */
export const isUnspecific = (mediaType: string): boolean => UNSPECIFIC.test(mediaType);

/** The formats that are known, to find them by what users write. */
export class FormatRegistry {
  readonly #formats: RdfFormat[] = [];

  /** Adds a format. For a media type, an extension or a name that is already known, the new format is found first. */
  register(format: RdfFormat): void {
    this.#formats.unshift(format);
  }

  /** Replaces the format of the same name, or adds the format. */
  replace(format: RdfFormat): void {
    const at = this.#formats.findIndex(({ name }) => name === format.name);
    if (at === -1) this.register(format);
    else this.#formats[at] = format;
  }

  /** All formats, in the order of their registration. */
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
   * The format of a file name, path or extension, with or without `.gz`, `.bz2` or `.zst`.
   * @throws InvalidArgumentError `INVALID_OPTION`, with what is known.
   */
  byExtension(fileName: string): FileFormat {
    const lower = fileName.toLowerCase();
    const ending = lower.slice(lower.lastIndexOf('.') + 1);
    const packing = lower.includes('.') && Object.hasOwn(PACKINGS, ending) ? PACKINGS[ending] : undefined;
    const plain = packing === undefined ? lower : lower.slice(0, -ending.length - 1);
    const extension = plain.slice(plain.lastIndexOf('.') + 1);
    const format = this.#formats.find((candidate) => candidate.extensions.includes(extension));
    if (format === undefined)
      throw unpackedBy(extension, fileName) ?? this.#unknown('file extension', fileName, (known) => known.extensions);
    return { format, gzip: packing === 'gzip', packing };
  }

  /**
   * Finds a format by name, media type or extension, as users write them.
   * @throws InvalidArgumentError `INVALID_OPTION`, with what is known.
   */
  find(nameOrTypeOrExtension: string): RdfFormat {
    const wanted = nameOrTypeOrExtension.trim().toLowerCase();
    const named =
      this.#formats.find(({ mediaTypes }) => mediaTypes.includes(wanted)) ??
      this.#formats.find(({ name }) => squeeze(name) === squeeze(wanted));
    if (named !== undefined) return named;
    if (wanted.includes('/')) return this.byMediaType(wanted);
    const extension = wanted.startsWith('.') ? wanted.slice(1) : wanted;
    const format = this.#formats.find((candidate) => candidate.extensions.includes(extension));
    if (format === undefined) throw this.#unknown('format', nameOrTypeOrExtension, (known) => [known.name]);
    return format;
  }

  #unknown(what: string, value: string, keys: (format: RdfFormat) => readonly string[]): InvalidArgumentError {
    const known = this.list().flatMap(keys).join(', ');
    return new InvalidArgumentError(
      'INVALID_OPTION',
      `unknown ${what} ${JSON.stringify(shortened(value))}; known: ${known}`,
    );
  }
}

/** Programs that unpack what is not unpacked here, by the extension. */
const UNPACKERS: Readonly<Record<string, string>> = {
  xz: 'xz -dc',
  lz4: 'lz4 -dc',
  br: 'brotli -dc',
  zip: 'unzip -p',
  '7z': '7z x -so',
  tgz: 'tar -xzOf',
  tar: 'tar -xOf',
};

function unpackedBy(extension: string, fileName: string): InvalidArgumentError | undefined {
  const program = UNPACKERS[extension];
  if (program === undefined) return undefined;
  const name = shortened(fileName);
  const format = /\.([a-z0-9]+)\.\w+$/i.exec(fileName)?.[1]?.toLowerCase() ?? 'nt';
  return new InvalidArgumentError(
    'INVALID_OPTION',
    `${name}: of compressed files .gz, .bz2 and .zst are unpacked here; on a command line: ${program} ${name} | quadrille load STORE - --format ${format}`,
  );
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

// "N-Triples", "ntriples" and "n triples" are one name.
function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

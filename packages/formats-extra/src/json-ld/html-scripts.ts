/** The JSON-LD of a page: what stands in its script elements (JSON-LD 1.1 API, 6). */
import { DEFAULT_LIMITS } from '@quadrille/formats';
import type { AsyncParserOptions, AsyncRdfParser } from '@quadrille/formats';
import { ParseError } from '@quadrille/model';
import { resolveIri } from '@quadrille/model/resolve-iri';
import { Parser } from 'htmlparser2';

const JSON_LD_TYPE = /^application\/ld\+json\s*(?:;|$)/i;

/** Where the text of a script begins and ends in the page. */
interface Script {
  readonly start: number;
  readonly end: number;
}

/** The scripts of a page that are JSON-LD, and the address of its first `base` element. */
export class PageScripts {
  readonly scripts: Script[] = [];
  base: string | undefined;
  #start: number | undefined;
  readonly #parser: Parser;

  constructor() {
    this.#parser = new Parser({
      onopentag: (name, attributes) => {
        if (name === 'base') this.base ??= attributes['href'];
        else if (name === 'script' && JSON_LD_TYPE.test(attributes['type']?.trim() ?? ''))
          this.#start = this.#parser.endIndex + 1;
      },
      onclosetag: (name) => {
        if (name !== 'script' || this.#start === undefined) return;
        this.scripts.push({ start: this.#start, end: Math.max(this.#start, this.#parser.startIndex) });
        this.#start = undefined;
      },
    });
  }

  push(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.end();
  }
}

/**
 * The scripts as one JSON array that is as long as the page, with blanks for everything else: so the places of errors are those of the page.
 */
export function scriptsAsArray(page: string, scripts: readonly Script[]): string {
  let text = '';
  let at = 0;
  for (const { start, end } of scripts) {
    // The last character in front of a script belongs to its tag.
    text += `${blank(page.slice(at, start - 1))}${at === 0 ? '[' : ','}${page.slice(start, end)}`;
    at = end;
  }
  return `${text}]${blank(page.slice(at + 1))}`;
}

const blank = (text: string): string => text.replace(/[^\n\r]/g, ' ');

/** Reads a page as a whole, and gives its scripts to a parser of JSON-LD. */
export class HtmlJsonLdParser implements AsyncRdfParser {
  readonly #options: AsyncParserOptions;
  readonly #createInner: (options: AsyncParserOptions) => AsyncRdfParser;
  readonly #decoder = new TextDecoder();
  readonly #page = new PageScripts();
  readonly #maxBytes: number;
  #text = '';

  constructor(options: AsyncParserOptions, createInner: (options: AsyncParserOptions) => AsyncRdfParser) {
    this.#options = options;
    this.#createInner = createInner;
    this.#maxBytes = options.limits?.maxDocumentBytes ?? DEFAULT_LIMITS.maxDocumentBytes;
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.#add(this.#decoder.decode(chunk, { stream: true }));
  }

  async end(): Promise<void> {
    this.#add(this.#decoder.decode());
    this.#page.end();
    const { scripts, base } = this.#page;
    if (scripts.length === 0) throw this.#error('the page has no script element of the type application/ld+json');
    const inner = this.#createInner({ ...this.#options, baseIRI: this.#baseOf(base) });
    await inner.push(new TextEncoder().encode(scriptsAsArray(this.#text, scripts)));
    await inner.end();
  }

  #add(text: string): void {
    if (this.#text.length + text.length > this.#maxBytes)
      throw this.#error(`the page is longer than ${String(this.#maxBytes)} characters`);
    this.#text += text;
    this.#page.push(text);
  }

  /** The base of the page, as browsers find it. */
  #baseOf(href: string | undefined): string | undefined {
    const { baseIRI } = this.#options;
    if (href === undefined || href === '') return baseIRI;
    return baseIRI === undefined ? href : resolveIri(href, baseIRI);
  }

  #error(reason: string): ParseError {
    return new ParseError('RDF_SYNTAX', reason, { source: this.#options.source });
  }
}

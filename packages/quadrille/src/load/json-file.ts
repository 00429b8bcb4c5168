/** Files whose name says JSON only: they are JSON-LD where a keyword of JSON-LD is in them. */
import type { AsyncParserOptions, AsyncRdfParser, RdfFormat } from '@quadrille/formats';
import { InvalidArgumentError } from '@quadrille/model';

const QUOTE = 0x22;
const AT = 0x40;

export const isJsonFile = (fileName: string): boolean => /\.json(?:\.(?:gz|bz2|zst))?$/i.test(fileName);

/** The format, with parsers that refuse a document without a keyword: JSON-LD would find nothing in it, or what nobody meant. */
export const ofJsonFile = (jsonLd: RdfFormat, fileName: string): RdfFormat => ({
  ...jsonLd,
  createAsyncParser: (options) => new KeywordParser(jsonLd.createAsyncParser!(options), options, fileName),
});

class KeywordParser implements AsyncRdfParser {
  #found = false;
  #last = 0;

  constructor(
    private readonly parser: AsyncRdfParser,
    private readonly options: AsyncParserOptions,
    private readonly fileName: string,
  ) {}

  push(chunk: Uint8Array): Promise<void> {
    this.#look(chunk);
    return this.parser.push(chunk);
  }

  async end(): Promise<void> {
    await this.parser.end();
    if (this.#found) return;
    const name = this.options.source ?? this.fileName;
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `${name} has no "@context" and no other keyword of JSON-LD; if it is RDF all the same, give its format; for rows of data give a mapping (--mapping FILE)`,
    );
  }

  #look(chunk: Uint8Array): void {
    if (this.#found || chunk.length === 0) return;
    if (this.#last === QUOTE && chunk[0] === AT) this.#found = true;
    for (let at = chunk.indexOf(AT); !this.#found && at >= 0; at = chunk.indexOf(AT, at + 1))
      if (at > 0 && chunk[at - 1] === QUOTE) this.#found = true;
    this.#last = chunk.at(-1)!;
  }
}

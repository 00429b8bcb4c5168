/** Takes the rows of a history file: quads go to the import, headers and prefixes are collected for the part that is read. */
import type { HistoryFaults, HistoryImport, RevisionHeaders } from '@quadrille/core';
import type { PatchMark, PatchSink } from '@quadrille/formats/patch';
import { DEFAULT_GRAPH_HANDLE, InvalidArgumentError } from '@quadrille/model';
import type { TermHandle } from '@quadrille/model';
import type { HeaderValue } from './read-headers.js';
import { HeaderFault, integerOf, required, revisionOf, stringOf, uuidOf } from './read-headers.js';
import { BRANCHES_FORMAT, HISTORY_FORMAT } from './history-headers.js';

/** A namespace or a tag, and its line. */
export interface NamedEntry {
  readonly name: string;
  /** The IRI of a namespace, the UUID of a tag. */
  readonly value: string;
  readonly line: number;
}

/** The part that ends a file. */
export interface HistoryEnd {
  readonly head: Uint8Array;
  readonly count: number;
  readonly line: number;
}

/** The part with which the section of a branch begins. */
export interface BranchStart {
  readonly branch: string;
  /** UUID of the revision after which its revisions begin, 16 bytes. */
  readonly base: Uint8Array;
  /** The branch that has its revisions up to a number in its history too. */
  readonly shared: { readonly name: string; readonly until: number } | undefined;
  readonly line: number;
}

/** More names than any repository has. */
const MOST_NAMES = 1_000_000;
/** Handles of header values follow those that mean something else. */
const FIRST_VALUE = DEFAULT_GRAPH_HANDLE + 1;
const TAG = /^([0-9a-f-]{36}) (.+)$/s;

const OF_BRANCHES: ReadonlySet<string> = new Set(['branch', 'base', 'shared', 'until']);

function branchOf(headers: ReadonlyMap<string, HeaderValue>, line: number): BranchStart {
  const other = [...headers].find(([name]) => !OF_BRANCHES.has(name));
  if (other !== undefined) throw new HeaderFault(other[1].line, `unknown header ${other[0]}`);
  const shared = stringOf(headers.get('shared'));
  return {
    shared: shared === undefined ? undefined : { name: shared, until: integerOf(required(headers, 'until', line)) },
    branch: stringOf(required(headers, 'branch', line))!,
    base: uuidOf(required(headers, 'base', line))!,
    line,
  };
}

export class HistorySink implements PatchSink {
  readonly namespaces: NamedEntry[] = [];
  readonly tags: NamedEntry[] = [];
  /** Line of the newest row. */
  line = 1;
  /** The first line of the part. */
  firstLine = 1;
  /** The revision whose transaction is read or was read last. */
  revision: RevisionHeaders | undefined;
  #state: 'headers' | 'rows' | 'complete' = 'headers';
  #values: Uint8Array[] = [];
  #headers = new Map<string, HeaderValue>();
  #begun = false;
  #hasBranches = false;
  #hashes = 0;

  constructor(
    /** Where quads go. */
    public load: HistoryImport,
    private readonly faults: HistoryFaults,
    /** The branch to which the file is imported. */
    private readonly target: string,
  ) {}

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    if (this.#state === 'rows') return this.load.term(bytes, start, end);
    return this.#values.push(bytes.slice(start, end)) - 1 + FIRST_VALUE;
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#state === 'rows' ? this.load.blankNode(bytes, start, end) : 0;
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    return this.#state === 'rows' ? this.load.tripleTerm(subject, predicate, object) : 0;
  }

  header(name: string, value: TermHandle, line: number): void {
    this.#enter(line);
    if (name === 'sha256') {
      this.#hashes++;
      this.#values = [];
      return;
    }
    if (this.#state !== 'headers') throw this.faults.broken(line, 'a header stands behind the rows of a transaction');
    const bytes = this.#values[value - FIRST_VALUE];
    this.#values = [];
    if (bytes === undefined) throw this.faults.broken(line, `the header ${name} has no text`);
    if (name === 'tag') return this.#tag({ bytes, line });
    if (this.#headers.has(name)) throw this.faults.broken(line, `the header ${name} stands here twice`);
    this.#headers.set(name, { bytes, line });
  }

  mark(mark: PatchMark, line: number): void {
    this.#enter(line);
    if (mark === 'abort') throw this.faults.broken(line, 'a history has no transactions that are aborted');
    if (mark === 'commit') {
      this.#state = 'complete';
      return;
    }
    if (this.#state !== 'headers')
      throw this.faults.broken(line, 'the row H sha256 is missing before this transaction');
    this.#checkFile();
    const headers = this.#headers;
    this.#headers = new Map();
    this.revision = this.#read(() => revisionOf(headers, line));
    this.#state = 'rows';
  }

  change(added: boolean, s: TermHandle, p: TermHandle, o: TermHandle, g: TermHandle, line: number): void {
    this.#enter(line);
    if (this.#state !== 'rows') throw this.faults.broken(line, 'a quad stands outside of a transaction');
    this.load.change(added, s, p, o, g, line);
  }

  prefix(name: string, iri: string | undefined, graph: TermHandle, line: number): void {
    this.#enter(line);
    if (this.#state !== 'headers' || iri === undefined || graph !== DEFAULT_GRAPH_HANDLE)
      throw this.faults.broken(line, 'a prefix stands where none can be');
    this.#keep(this.namespaces, { name, value: iri, line });
  }

  /** Whether one row `H sha256` was read since the last call. */
  takeHash(): boolean {
    const hashes = this.#hashes;
    this.#hashes = 0;
    return hashes === 1;
  }

  get sawHash(): boolean {
    return this.#hashes > 0;
  }

  /** Ends the part: true if it is a transaction. Otherwise it begins a branch or ends the file. */
  endPart(): true | BranchStart | HistoryEnd {
    const isTransaction = this.#state === 'complete';
    if (this.#state === 'rows') throw this.faults.broken(this.line, 'a transaction has no row TC');
    this.#state = 'headers';
    if (isTransaction) return true;
    this.#checkFile();
    const { line } = this;
    const headers = this.#headers;
    if (this.#hasBranches && headers.has('branch')) {
      this.#headers = new Map();
      return this.#read(() => branchOf(headers, this.line));
    }
    return this.#read(() => {
      const end = {
        head: uuidOf(required(headers, 'head', line))!,
        count: integerOf(required(headers, 'count', line)),
      };
      const other = [...headers].find(([name]) => name !== 'head' && name !== 'count');
      if (other !== undefined) throw new HeaderFault(other[1].line, `unknown header ${other[0]}`);
      return { ...end, line };
    });
  }

  beginPart(line: number): void {
    this.firstLine = line;
  }

  #enter(line: number): void {
    this.line = line;
  }

  // The first rows of the file say what it is.
  #checkFile(): void {
    if (this.#begun) return;
    const headers = this.#headers;
    this.#read(() => {
      const format = required(headers, 'history', 1);
      const version = stringOf(format);
      this.#hasBranches = version === BRANCHES_FORMAT;
      if (this.#hasBranches && this.target !== 'main')
        throw new InvalidArgumentError(
          'INVALID_OPTION',
          `importHistory: the file has all branches, and its history begins with main. Import it there, not into ${this.target}`,
          { details: { option: 'branch' } },
        );
      if (this.#hasBranches || version === HISTORY_FORMAT) return;
      throw new HeaderFault(
        format.line,
        `the file has the format ${version}, this version of Quadrille reads ${HISTORY_FORMAT} and ${BRANCHES_FORMAT}`,
      );
    });
    headers.delete('history');
    headers.delete('repository');
    this.#begun = true;
  }

  #tag(header: HeaderValue): void {
    const found = TAG.exec(this.#read(() => stringOf(header))!);
    if (found === null) throw this.faults.broken(header.line, 'expected a UUID and the name of a tag');
    this.#keep(this.tags, { name: found[2]!, value: found[1]!, line: header.line });
  }

  #keep(entries: NamedEntry[], entry: NamedEntry): void {
    if (entries.push(entry) > MOST_NAMES) throw this.faults.broken(entry.line, 'there are too many names');
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof HeaderFault ? this.faults.broken(error.line, error.message) : error;
    }
  }
}

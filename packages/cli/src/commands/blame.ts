/** `quadrille blame`: which revision each quad is from. */
import { InvalidArgumentError, isAbsoluteIri } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Command } from 'commander';
import type { BlameEntry, QuadPattern } from 'quadrille';
import { nquadsLine, revisionNote } from '../lines.js';
import { addAt, addJson, addRepository } from '../options.js';
import { type ReadingOptions, type Shell, withView } from '../shell.js';

interface Options extends ReadingOptions {
  readonly subject?: string;
  readonly predicate?: string;
  readonly object?: string;
  readonly graph?: string;
  readonly removed?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille blame ./data --subject http://example.org/ann
  $ quadrille blame ./data --predicate http://xmlns.com/foaf/0.1/name --object '"Ann"' --at HEAD~10
  $ quadrille blame ./data --graph http://example.org/people --removed --json

Terms are IRIs, or as in N-Triples: '"Ann"@en', _:b1. --graph default is the default graph. Prints the number, time, author and message of
the revision that added each quad, and with --removed also the quads that are gone and the number of the revision that removed them.
`;

export function addBlame(program: Command, shell: Shell): void {
  const command = program
    .command('blame')
    .description('Print which revision each quad is from.')
    .argument('<store>', 'directory of the store')
    .option('-s, --subject <term>', 'only quads with this subject')
    .option('-p, --predicate <iri>', 'only quads with this predicate')
    .option('-o, --object <term>', 'only quads with this object')
    .option('-g, --graph <term>', 'only quads of this graph')
    .option('--removed', 'also the quads that are gone');
  addJson(addRepository(addAt(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const pattern = await patternOf(options);
      await withView(store, options, (view) => {
        const entries = view.blame(pattern, { removed: options.removed === true, signal: shell.signal });
        return shell.stdout.writeAll(blameLines(entries, options.json === true));
      });
    });
}

async function* blameLines(entries: AsyncIterable<BlameEntry>, json: boolean): AsyncGenerator<string> {
  for await (const { quad, revision, removed } of entries) {
    const text = nquadsLine(quad);
    if (json) yield `${JSON.stringify({ quad: text, revision, removed })}\n`;
    else
      yield `${[...revisionNote(revision), ...(removed === undefined ? [] : [`removed by #${String(removed.number)}`]), text].join('  ')}\n`;
  }
}

async function patternOf({ subject, predicate, object, graph }: Options): Promise<QuadPattern> {
  const { defaultGraph } = await import('quadrille');
  const pattern = {
    subject: await termOf('--subject', subject, 'NamedNode', 'BlankNode'),
    predicate: await termOf('--predicate', predicate, 'NamedNode'),
    object: await termOf('--object', object, 'NamedNode', 'BlankNode', 'Literal', 'Quad'),
    graph: graph === 'default' ? defaultGraph() : await termOf('--graph', graph, 'NamedNode', 'BlankNode'),
  };
  return pattern as QuadPattern;
}

async function termOf(
  option: string,
  text: string | undefined,
  ...kinds: readonly RDF.Term['termType'][]
): Promise<RDF.Term | undefined> {
  if (text === undefined) return undefined;
  const { iri, parseTerm } = await import('quadrille');
  const isQuoted = /^(?:<|_:|")/.test(text);
  if (!isQuoted && !isAbsoluteIri(text)) throw wrong(option, text, 'neither an absolute IRI nor a term of N-Triples');
  let term: RDF.Term;
  try {
    term = isQuoted ? parseTerm(text) : iri(text);
  } catch (error) {
    throw wrong(option, text, error instanceof Error ? error.message : String(error));
  }
  if (!kinds.includes(term.termType)) throw wrong(option, text, `a ${term.termType} cannot stand there`);
  return term;
}

const wrong = (option: string, text: string, why: string): InvalidArgumentError =>
  new InvalidArgumentError('INVALID_OPTION', `${option} ${text.slice(0, 100)}: ${why}`);

/** `quadrille search`: the quads whose objects have words. */
import { termToText } from '@quadrille/model';
import type { Command } from 'commander';
import type * as RDF from '@rdfjs/types';
import type { SearchAnswer } from 'quadrille';
import { nquadsLine } from '../lines.js';
import { PLACE, addAt, addBranch, addJson, addPlace, termOf, wholeNumber } from '../options.js';
import { type ReadingOptions, type Shell, withView } from '../shell.js';

interface Options extends ReadingOptions {
  readonly property?: string;
  readonly graph?: string;
  readonly lang?: string;
  readonly limit: number;
  readonly offset: number;
  readonly facet: readonly string[];
}

const EXAMPLES = `
Examples:
  $ quadrille search ./data pluto
  $ quadrille search ./data '"dwarf planet" OR moon' --lang en --limit 20
  $ quadrille search ./data 'plu*' --property http://www.w3.org/2000/01/rdf-schema#label --at HEAD~10
  $ quadrille search https://data.example.org/acme/people ann --json

The repository needs an index of words: quadrille settings ./data --set search=true. The text is in the syntax of Lucene's classic query
parser: a word, +word that must be there, -word that must not, "a phrase", plu*, plto~1, AND, OR, NOT and parentheses.
`;

const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];
const named = async (option: string, text: string | undefined): Promise<RDF.NamedNode | undefined> =>
  (await termOf(option, text, 'NamedNode')) as RDF.NamedNode | undefined;

export function addSearch(program: Command, shell: Shell): void {
  const command = program
    .command('search')
    .description('Print the quads whose objects have words, the best ones first.')
    .argument('<store>', PLACE)
    .argument('<text>', 'the words')
    .option('--property <iri>', 'only values of this property')
    .option('--graph <iri>', 'only quads of this graph')
    .option('--lang <tag>', 'only literals with this language, or one that begins so')
    .option('--limit <hits>', 'number of hits', wholeNumber('--limit', 0), 10)
    .option('--offset <hits>', 'number of hits that are passed over', wholeNumber('--offset', 0), 0)
    .option('--facet <iri>', 'count the values of a property over all hits; may be repeated', collect, []);
  addJson(addBranch(addPlace(addAt(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, text: string, options: Options) => {
      const { lang: language, limit, offset, facet } = options;
      const property = await named('--property', options.property);
      const graph = await named('--graph', options.graph);
      const facets: RDF.NamedNode[] = [];
      for (const name of facet) facets.push((await named('--facet', name))!);
      await withView(store, options, async (view) => {
        const answer = await view.search(text, {
          property,
          graph,
          language,
          limit,
          offset,
          facets,
          signal: shell.signal,
        });
        if (options.json === true) await shell.stdout.json(jsonOf(answer));
        else await shell.stdout.writeAll(linesOf(answer));
      });
    });
}

const jsonOf = ({ total, hits, facets }: SearchAnswer): object => ({
  total,
  hits: hits.map(({ subject, property, literal, graph, score }) => ({
    quad: nquadsLine({ subject, predicate: property, object: literal, graph } as RDF.Quad),
    score,
  })),
  facets: Object.fromEntries(
    Object.entries(facets).map(([name, values]) => [
      name,
      values.map(({ value, count }) => ({ value: termToText(value), count })),
    ]),
  ),
});

async function* linesOf({ total, hits, facets }: SearchAnswer): AsyncGenerator<string> {
  for (const { subject, property, literal, graph, score } of hits)
    yield `${score.toFixed(3)}  ${nquadsLine({ subject, predicate: property, object: literal, graph } as RDF.Quad)}\n`;
  yield `${String(total)} ${total === 1 ? 'hit' : 'hits'}\n`;
  for (const [name, values] of Object.entries(facets)) {
    yield `${name}\n`;
    for (const { value, count } of values) yield `  ${String(count)}  ${termToText(value)}\n`;
  }
}

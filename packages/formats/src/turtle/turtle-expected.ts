/** Describes what the grammar of Turtle allows at a position, for error messages. */
import {
  A_STATEMENT,
  ANNOTATION,
  BASE_IRI,
  BEHIND_OBJECT,
  END_OF_DIRECTIVE,
  END_OF_REIFIED,
  END_OF_TRIPLE_TERM,
  GRAPH_NAME,
  GRAPH_OPEN,
  INNER_SUBJECT,
  ITEM,
  OBJECT,
  PREFIX,
  PREFIX_IRI,
  PROPERTIES,
  REIFIED_TRIPLE,
  REIFIER_OR_END_OF_REIFIED,
  REIFIER_OR_NOTHING,
  STATEMENT,
  TILDE_OR_END_OF_REIFIED,
  TRIPLE_TERM,
  VERB,
  VERB_OR_END,
  VERB_OR_GRAPH,
  VERB_OR_SEMICOLON_OR_END,
  VERSION,
} from './turtle-frames.js';
import type { TurtleFrames } from './turtle-frames.js';

const A_VERB = 'a predicate (an IRI or "a")';
const AN_IRI = 'an IRI within "<" and ">"';

/** Descriptions that do not depend on the enclosing frame. */
const ANYWHERE: ReadonlyMap<number, string> = new Map([
  [VERB_OR_GRAPH, `${A_VERB}, or "{" of a graph`],
  [VERB, A_VERB],
  [ITEM, 'an item of the list (an IRI, a blank node or a literal), or ")"'],
  [END_OF_TRIPLE_TERM, '")>>"'],
  [TILDE_OR_END_OF_REIFIED, '"~" or ">>"'],
  [REIFIER_OR_END_OF_REIFIED, 'a reifier (an IRI or a blank node), or ">>"'],
  [END_OF_REIFIED, '">>"'],
  [REIFIER_OR_NOTHING, 'a reifier (an IRI or a blank node)'],
  [GRAPH_NAME, 'the name of a graph (an IRI or a blank node)'],
  [GRAPH_OPEN, '"{"'],
  [PREFIX, 'a prefix, which ends with ":"'],
  [PREFIX_IRI, AN_IRI],
  [BASE_IRI, AN_IRI],
  [VERSION, 'the version, a string in quotes'],
  [END_OF_DIRECTIVE, '"."'],
]);

/** Describes what a frame expects. */
export function expectedIn({ kind, expects }: TurtleFrames, trig: boolean, inGraph: boolean): string {
  const end = endOf(kind, inGraph);
  switch (expects) {
    case A_STATEMENT:
      if (inGraph) return 'a statement or "}"';
      return trig ? 'a statement, a directive or a graph' : 'a statement or a directive';
    case VERB_OR_END:
      return `${A_VERB}, or ${end}`;
    case VERB_OR_SEMICOLON_OR_END:
      return `${A_VERB}, ";" or ${end}`;
    case BEHIND_OBJECT:
      return `",", ";", an annotation or ${end}`;
    case OBJECT:
      return kind === TRIPLE_TERM || kind === REIFIED_TRIPLE
        ? 'an object (an IRI, a blank node, a literal or a triple)'
        : 'an object (an IRI, a blank node, a list, a literal or a triple)';
    case INNER_SUBJECT:
      return `a subject (an IRI${kind === TRIPLE_TERM ? ' or a blank node' : ', a blank node or a reified triple'})`;
    default:
      return ANYWHERE.get(expects) ?? 'something else';
  }
}

function endOf(kind: number, inGraph: boolean): string {
  if (kind === PROPERTIES) return '"]"';
  if (kind === ANNOTATION) return '"|}"';
  return kind === STATEMENT && inGraph ? '"." or "}"' : '"."';
}

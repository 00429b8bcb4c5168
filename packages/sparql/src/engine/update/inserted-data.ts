/** Updates that only add quads which stand in their text. They read nothing, so they need no transaction. */
import type * as RDF from '@rdfjs/types';
import type { Pattern, UpdateOperation } from '../../algebra/algebra.js';
import type { ParsedText, ParsedUpdate } from '../../algebra/request.js';
import { substituteValues } from '../../algebra/substitute-values.js';
import { isLegalQuad } from '../../algebra/terms.js';

/** More quads are staged in parts, between which others get their turn. */
const MOST_QUADS = 256;

/**
 * The quads of an update that is INSERT DATA alone; `undefined` for every other request, for one with blank nodes, which become new ones, and for
 * one with many quads.
 */
export function insertedData(text: ParsedText): readonly RDF.Quad[] | undefined {
  const { parsed } = text;
  if (parsed.kind !== 'update' || !parsed.operations.every(isData)) return undefined;
  if (parsed.operations.reduce((sum, { insert = [] }) => sum + insert.length, 0) > MOST_QUADS) return undefined;
  const { operations } = substituteValues({ ...text, parsed } satisfies ParsedText<ParsedUpdate>);
  const patterns = (operations as readonly Data[]).flatMap(({ insert = [] }) => insert);
  return patterns.some(hasVariable) ? undefined : (patterns.filter(isLegal) as unknown as RDF.Quad[]);
}

type Data = UpdateOperation & { readonly type: 'deleteinsert' };

const isData = (operation: UpdateOperation): operation is Data =>
  operation.type === 'deleteinsert' && operation.where === undefined && (operation.delete ?? []).length === 0;

/** Blank nodes stand as variables in the patterns. */
const hasVariable = ({ subject, predicate, object, graph }: RDF.BaseQuad): boolean =>
  [subject, predicate, object, graph].some(isOpen);

const isOpen = (term: RDF.Term): boolean =>
  term.termType === 'Variable' || (term.termType === 'Quad' && hasVariable(term));

const isLegal = ({ subject, predicate, object, graph }: Pattern): boolean =>
  isLegalQuad(subject, predicate, object, graph);

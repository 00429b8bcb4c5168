/** What a query with pre-bound variables may not contain: SHACL, section 5.2.1. Pre-binding has no meaning there. */
import { InvalidArgumentError } from '@quadrille/model';
import { belowModifiers, expressionsIn, walk, type Operation } from '../algebra/algebra.js';
import { isOperation, recordOf } from '../algebra/operations/index.js';

const REASON = 'forbidden';

const forbidden = (what: string): InvalidArgumentError =>
  new InvalidArgumentError('INVALID_OPTION', what, { details: { reason: REASON } });

/** Whether an error says that a query has what it may not contain. */
export const isForbidden = (error: unknown): error is InvalidArgumentError =>
  error instanceof InvalidArgumentError && error.details['reason'] === REASON;

/** @throws InvalidArgumentError for SERVICE, which would let data leave the store */
export function refuseService(algebra: Operation): void {
  walk(algebra, (node) => {
    if (node.type === 'service') throw forbidden('SERVICE is not allowed in shapes');
  });
}

/**
 * @param projected the pre-bound variables that each sub-select has to project
 * @param prebound all of them
 * @throws InvalidArgumentError for what SHACL forbids
 */
export function checkRestrictions(algebra: Operation, projected: readonly string[], prebound: readonly string[]): void {
  refuseService(algebra);
  const top = belowModifiers(algebra);
  const own = new Set(prebound);
  const assigned = (name: string): void => {
    if (own.has(name)) throw forbidden(`AS ?${name} is not allowed: the variable is pre-bound`);
  };
  walk(algebra, (node) => {
    if (!isOperation(node)) return;
    const { called, comparesVariables } = recordOf(node);
    if (comparesVariables === true)
      throw forbidden(`${called} is not allowed beside pre-bound variables; use FILTER NOT EXISTS`);
    if (node.type === 'values') throw forbidden('VALUES is not allowed beside pre-bound variables; use FILTER with IN');
    if (node.type === 'extend') assigned(node.variable.value);
    if (node.type === 'group') for (const { variable } of node.aggregates) assigned(variable.value);
    if (node.type !== 'project' || node === top) return;
    const missing = projected.find((name) => !node.variables.some(({ value }) => value === name));
    if (missing !== undefined) throw forbidden(`a sub-select has to project the pre-bound variable ?${missing}`);
  });
}

/** Whether a pattern names a variable where it is no predicate. */
export function namesElsewhere(algebra: Operation, name: string): boolean {
  let found = false;
  const is = (term: { readonly termType: string; readonly value: string }): boolean =>
    term.termType === 'Variable' && term.value === name;
  walk(algebra, (node) => {
    if (node.type === 'bgp') found ||= node.patterns.some(({ subject, object }) => is(subject) || is(object));
    else if (node.type === 'path') found ||= is(node.subject) || is(node.object);
    else if (node.type === 'graph') found ||= is(node.name);
    else if (node.type === 'expression' && node.subType === 'term') found ||= is(node.term);
    if (node.type !== 'expression')
      for (const part of expressionsIn(node)) if (part.subType === 'term') found ||= is(part.term);
  });
  return found;
}

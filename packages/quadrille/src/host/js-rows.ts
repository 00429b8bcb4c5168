/** Rows as values of JavaScript, for rows that come from another process. */
import type { JsRow, Row } from '../api/query.js';

/**
 * Gives the function that `values: 'js'` of `select` uses.
 * @since 0.1.0
 */
export async function jsRows(): Promise<(row: Row) => JsRow> {
  const { jsValue } = await import('@quadrille/sparql');
  return (row) => Object.fromEntries(Object.entries(row).map(([name, term]) => [name, jsValue(term)]));
}

/** Rows that an answer got or lost, with a sign before each. */
import { text } from '../../messages/en.js';
import type { Term } from '../../rows/term.js';
import { ParsedTerm } from '../../terms/term-view.js';

export interface ChangedRow {
  readonly kind: 'added' | 'removed';
  /** A term for each column. */
  readonly terms: readonly Term[];
}

interface Properties {
  readonly columns: readonly string[];
  readonly rows: readonly ChangedRow[];
}

const SIGNS = { added: '+', removed: '−' } as const;

export function RowTable({ columns, rows }: Properties) {
  if (rows.length === 0) return null;
  return (
    <table class="changed-rows">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden-text">{text.query.change}</span>
          </th>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, terms }, index) => (
          <tr key={index} class={kind}>
            <td>
              <span aria-hidden="true">{SIGNS[kind]}</span>
              <span class="hidden-text">{text.history[kind]}</span>
            </td>
            {terms.map((term, column) => (
              <td key={column}>
                <ParsedTerm term={term} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

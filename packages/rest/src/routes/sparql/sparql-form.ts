/** What a SPARQL text asks for, read from its first words: the kind of answer has to be known before it runs. */

export type SparqlForm = 'SELECT' | 'ASK' | 'CONSTRUCT' | 'DESCRIBE' | 'UPDATE';

// Blanks and comments, then declarations of the prologue; all that may stand before the keyword.
const PROLOGUE =
  /^(?:\s+|#[^\n\r]*|BASE\s*<[^>]*>|PREFIX\s+[^\s:<>]*:\s*(?:#[^\n\r]*|\s+)*<[^>]*>|VERSION\s*(?:"[^"\n]*"|'[^'\n]*'))/i;
const QUERY_FORMS = new Set<string>(['SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE']);
const UPDATE_FORMS = new Set<string>('INSERT DELETE LOAD CLEAR CREATE DROP COPY MOVE ADD WITH'.split(' '));

/** `undefined` where the text is neither a query nor an update; the parser will say why. */
export function sparqlForm(text: string): SparqlForm | undefined {
  let rest = text;
  for (let match = PROLOGUE.exec(rest); match !== null; match = PROLOGUE.exec(rest)) rest = rest.slice(match[0].length);
  const word = /^[A-Za-z]+/.exec(rest)?.[0].toUpperCase() ?? '';
  if (QUERY_FORMS.has(word)) return word as SparqlForm;
  return UPDATE_FORMS.has(word) ? 'UPDATE' : undefined;
}

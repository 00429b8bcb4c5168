/** Leaves out the statements of terms that are not well formed, while the rest of the document is read. */
import type { QuadSink, TermHandle } from '@quadrille/model';

/** The handle of a term that is not well formed. No sink gives it to a term: handles count from 1. */
export const BAD_TERM: TermHandle = 0xffff_ffff;

/** The same sink without statements that have a {@link BAD_TERM}. */
export function skippingSink(sink: QuadSink): QuadSink {
  const isBad = (a: TermHandle, b: TermHandle, c: TermHandle): boolean =>
    a === BAD_TERM || b === BAD_TERM || c === BAD_TERM;
  return {
    term: (bytes, start, end) => sink.term(bytes, start, end),
    ...(sink.terms && { terms: (bytes, spans, count, handles) => sink.terms!(bytes, spans, count, handles) }),
    blankNode: (bytes, start, end) => sink.blankNode(bytes, start, end),
    tripleTerm: (s, p, o) => (isBad(s, p, o) ? BAD_TERM : sink.tripleTerm(s, p, o)),
    quad: (s, p, o, g) => {
      if (g !== BAD_TERM && !isBad(s, p, o)) sink.quad(s, p, o, g);
    },
  };
}

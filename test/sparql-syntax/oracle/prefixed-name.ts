/** Replaces the grammar's rule for prefixed names, which drops everything behind a second colon: `ex:a:b` is one name. */
import { gram11, lex11 as lex, type SparqlRule, type TermIriPrefixed } from './traqula.js';

export const prefixedName: SparqlRule<'prefixedName', TermIriPrefixed> = {
  ...gram11.prefixedName,
  impl:
    ({ ACTION, CONSUME, OR }) =>
    (context) => {
      const { pNameLn, pNameNs } = lex.terminals;
      const named = (token: ReturnType<typeof CONSUME>): TermIriPrefixed => {
        const colon = token.image.indexOf(':');
        const prefix = token.image.slice(0, colon);
        if (!context.skipValidation && context.prefixes[prefix] === undefined)
          throw new Error(`Unknown prefix: ${prefix}`);
        const location = context.astFactory.sourceLocation(token);
        return context.astFactory.termNamed(location, token.image.slice(colon + 1), prefix);
      };
      return OR<TermIriPrefixed>([
        {
          ALT: () => {
            const token = CONSUME(pNameLn);
            return ACTION(() => named(token));
          },
        },
        {
          ALT: () => {
            const token = CONSUME(pNameNs);
            return ACTION(() => named(token));
          },
        },
      ]);
    },
};

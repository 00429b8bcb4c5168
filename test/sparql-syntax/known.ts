/** Where the parser and its oracle differ, and which rule decides: SPARQL 1.2 Query, if nothing else is said. */

export interface Difference {
  readonly text: string;
  /** `refused` and `accepted` by our parser, and the other way by the oracle. */
  readonly kind: 'refused' | 'accepted' | 'algebra';
  /** The error, or where the algebra differs. */
  readonly message: string;
  /** The algebra of our parser and of the oracle, where both accept the text. */
  readonly algebra?: readonly [ours: string, theirs: string];
}

interface Known {
  readonly name: string;
  readonly rule: string;
  applies(difference: Difference): boolean;
}

const says =
  (kind: Difference['kind'], part: RegExp) =>
  (difference: Difference): boolean =>
    difference.kind === kind && part.test(difference.message);

/** Names that a parser makes, which differ freely. */
const MADE_NAMES = /\?(?:#|var|_:)\d+/g;
/** Names in a text that are like those that the oracle makes, so that it takes one for the other. */
const NAMED_LIKE_MADE = /[?$]var\d/;

/** Whether both say the same where these parts are left out. Lines have no order, as the canonical form orders them by names. */
function sameWithout({ text, algebra }: Difference, part: RegExp): boolean {
  if (algebra === undefined) return false;
  const [ours, theirs] = algebra.map((each) => {
    const kept = NAMED_LIKE_MADE.test(text) ? each.replace(MADE_NAMES, '') : each;
    return kept.replace(part, '').split('\n').sort().join('\n');
  });
  return ours === theirs;
}

const COLUMNS = /"(?:terms|variables)": \[[^\]]*\]/g;

export const KNOWN: readonly Known[] = [
  {
    name: 'variables that paths around a sub-select go through',
    rule: 'section 18.2.2.4: each is a fresh one; the oracle counts anew in a sub-select, and forgets the names around it',
    applies: (difference) => /select/i.test(difference.text) && sameWithout(difference, MADE_NAMES),
  },
  {
    name: 'what * stands for: the reifier of a triple that stands alone, and variables of VALUES without rows',
    rule: 'section 18.2.1: the variables of a basic graph pattern and of VALUES are in scope',
    applies: (difference) =>
      difference.text.includes('*') &&
      /~|\{\s*(?:#[^\n]*\n\s*)*\}/.test(difference.text) &&
      sameWithout(difference, COLUMNS),
  },
  {
    name: 'what * stands for: variables of the VALUES that ends a sub-select',
    rule: 'sections 18.2.1 and 18.2.4.3: it is joined before the projection, so only what the sub-select selects is in scope around it',
    applies: (difference) =>
      difference.text.includes('*') &&
      /select[^]*select[^]*\}[^{}]*values/i.test(difference.text) &&
      sameWithout(difference, COLUMNS),
  },
  {
    name: 'what * stands for: a key of GROUP BY in a sub-select',
    rule: 'section 18.2.4.3: only what a sub-select selects is in scope around it',
    applies: (difference) =>
      difference.text.includes('*') &&
      /select[^]*select[^]*group[^]*\bas\b/i.test(difference.text) &&
      sameWithout(difference, COLUMNS),
  },
  {
    name: 'a relative IRI against a base whose query has a slash, or whose last segment has a colon',
    rule: 'RFC 3986, 5.2.3: what follows the last slash of the path of the base is left out, and the path ends before the query',
    applies: (difference) =>
      /base[^]*<[^<>?]*(?:\?[^<>]*\/|\/[^<>/]*:)[^<>]*>/i.test(difference.text) &&
      sameWithout(difference, /<[^<>\s]*>/g),
  },
  {
    name: 'a relative IRI that begins with two slashes or a dot, or stands below a base with a fragment',
    rule: 'RFC 3986, 5.2.2 and 5.2.4: two slashes begin an authority, dots are removed, and a fragment is no part of a base',
    applies: (difference) =>
      /<\/\/|<\.\/|base[^]*<[^<>]*#[^<>]*>/i.test(difference.text) && sameWithout(difference, /<[^<>\s]*>/g),
  },
  {
    name: 'a request that the oracle fails on',
    rule: 'none: it ends with a TypeError of its own',
    applies: says('accepted', /^Cannot read properties of undefined/),
  },
  {
    name: 'an expression in SELECT without a name',
    rule: 'rule 9: an expression stands in parentheses, with AS and its variable; the oracle takes some aggregates without them',
    applies: says('refused', /an expression in SELECT needs a name/),
  },
  {
    name: 'a variable that is called like those that the oracle makes',
    rule: 'section 18.2.4.1: a made variable is a fresh one; those of the oracle are ?var0, ?var1 and so on, also where the text has them',
    applies: (difference) =>
      (NAMED_LIKE_MADE.test(difference.text) && sameWithout(difference, MADE_NAMES)) ||
      says('accepted', /\?var\d+ is bound already/)(difference),
  },
  {
    name: 'a constant as a key of GROUP BY',
    rule: 'section 18.2.4.1: a key that is no variable gets a name; the oracle takes a constant for a variable',
    applies: ({ algebra }) =>
      algebra !== undefined && /"variables": \[[^\]]*"(?:Literal|NamedNode|<<) /.test(algebra[1]),
  },
  {
    name: 'half a character in a string or an IRI',
    rule: 'section 19.1: a request is a string of Unicode characters, and half of a surrogate pair is none',
    applies: says('refused', /has half a character/),
  },
  {
    name: 'a comment between NOT and IN or EXISTS, or nothing',
    rule: "rules 129 and 144: 'NOT' 'IN' and 'NOT' 'EXISTS' are two tokens each; the oracle has one for both",
    applies: ({ kind, message, text }) => {
      if (kind !== 'accepted' || !/unexpected character|Redundant input|expecting|Expecting/.test(message))
        return false;
      return /not(?:[ \t\r\n]*#[^\n]*\n)*\s*(?:in|exists)/i.test(text);
    },
  },
  {
    name: 'a variable of an expression in SELECT that is not grouped',
    rule: 'section 11.4: aggregates, constants and grouped variables only; the oracle looks at COUNT, and at the operators of an expression without aggregates',
    applies: says('refused', /is selected but not grouped/),
  },
  {
    name: 'SELECT * with an aggregate in HAVING or ORDER BY',
    rule: 'section 18.2.4.1: an aggregate groups the solutions, and SELECT * cannot stand with a grouping',
    applies: says('refused', /SELECT \* cannot stand with GROUP BY/),
  },
  {
    name: 'a variable of VALUES at the end, in a grouping',
    rule: 'section 18.2.4.3: the solutions are joined with VALUES after they are grouped',
    applies: ({ kind, message, text }) =>
      kind === 'accepted' &&
      /Variable not allowed in projection|Use of ungrouped variable|is not grouped/.test(message) &&
      /values/i.test(text),
  },
  {
    name: 'a name of AS that a grouping hides',
    rule: 'section 18.2.4.1: behind a grouping, what is not grouped is no longer bound; the oracle looks at sub-selects only',
    applies: says('accepted', /^.*Target id of 'AS' .* already used in subquery/),
  },
  {
    name: 'the label of a blank node in two basic graph patterns',
    rule: 'section 4.1.4: a label stands in one basic graph pattern of a request; the oracle looks into no sub-selects, no EXISTS of HAVING, and at each operation alone',
    applies: says('refused', /stands in another basic graph pattern already/),
  },
  {
    name: 'a list or brackets as a subject in DELETE',
    rule: 'SPARQL 1.2 Update, note 7 of the grammar: DELETE, DELETE DATA and DELETE WHERE have no blank nodes, and lists are some',
    applies: says('refused', /^.*unexpected '[([]': .* holds no blank nodes/),
  },
  {
    name: 'an IRI with a colon before its first slash, and no scheme',
    rule: 'RFC 3987, section 2.2: the first segment of a relative path has no colon',
    applies: says('refused', /with its base it is no legal IRI/),
  },
  {
    name: 'an escape in an IRI for what an IRI cannot contain',
    rule: 'section 19.2: an escape stands for its character, which rule 161 (IRIREF) excludes',
    applies: says('refused', /an IRI has an illegal escape/),
  },
  {
    name: 'a decimal that begins with its dot',
    rule: "rule 169, DECIMAL: [0-9]* '.' [0-9]+; the oracle wants a digit before the dot",
    applies: ({ text }) => /(?:^|[^0-9]|[?$]\w*)\.[0-9]/.test(text),
  },
  {
    name: 'the end of a comment at a carriage return',
    rule: 'section 19.4: a comment ends at the end of its line, which a carriage return is too',
    applies: ({ text }) => /#[^\n]*\r(?!\n)/.test(text),
  },
  {
    name: 'a word that is cut into keywords',
    rule: 'section 19.8: the longest token wins, and no blank is needed between two; the oracle tries its keywords in an order of its own',
    applies: ({ text, message }) =>
      /unexpected character|unexpected '|Redundant input|expecting|Expecting|one of these/.test(message) &&
      /[a-z0-9_]{2}/i.test(text) &&
      isCutWord(text),
  },
];

/** Whether a word of the text is none of the grammar, but begins with one. */
function isCutWord(text: string): boolean {
  const outside = text.replace(/"[^"\n]*"|'[^'\n]*'|<[^<>\s]*>|#[^\n]*|[?$@:][\w.-]*|_:[\w.-]*/g, ' ');
  return /[a-z]{2,}[0-9]|[0-9][a-z]|\b(?:a|as|in|is|not|by|to|select|ask|order|group|limit|offset|str|if|where)\w{2,}/i.test(
    outside,
  );
}

/** Which form a query is of, for interfaces that have to be told. */

const FORMS = ['SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE'];
/** What ends an IRI, a string or a comment by its first character. */
const ENDS: Readonly<Record<string, string>> = { '<': '>', '"': '"', "'": "'", '#': '\n' };

/** The first word of the query that names a form, outside of IRIs, strings and comments. */
export function formOf(text: string): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const end = ENDS[text[at]!];
    if (end !== undefined) {
      const closing = text.indexOf(end, at + 1);
      at = closing === -1 ? text.length : closing;
    } else if (!isWord(text[at - 1])) {
      const form = FORMS.find((word) => startsWithWord(text, at, word));
      if (form !== undefined) return form;
    }
  }
  return undefined;
}

const startsWithWord = (text: string, at: number, word: string): boolean =>
  text.slice(at, at + word.length).toUpperCase() === word && !isWord(text[at + word.length]);

const isWord = (char: string | undefined): boolean =>
  char !== undefined && (char.toUpperCase() !== char.toLowerCase() || char === '_' || (char >= '0' && char <= '9'));

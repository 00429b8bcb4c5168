/** Which form a query is of, for interfaces that have to be told. */
const COMMENTS = /<[^>\s]*>|"(?:[^"\\]|\\.)*"|#[^\n]*/g;
const FORM = /\b(SELECT|ASK|CONSTRUCT|DESCRIBE)\b/i;

export const formOf = (text: string): string | undefined => FORM.exec(text.replace(COMMENTS, ' '))?.[1]?.toUpperCase();

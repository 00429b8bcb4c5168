/** Texts of fields for terms. */

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const termText = {
  known: 'Known terms',
  none: (text: string): string =>
    `“${short(text)}” is no term. Write an IRI such as http://example.org/ann, or a name with a prefix that is known.`,
  noIri: (text: string): string => `“${short(text)}” is no absolute IRI.`,
  noLiteral: (text: string): string => `“${short(text)}” is a value. Only an IRI can stand here.`,
  wrongName: (text: string, prefix: string): string =>
    `“${short(text)}” is no name with the prefix ${prefix}:. Write the whole IRI.`,
  unknownPrefix: (prefix: string, text: string): string =>
    `The prefix ${short(prefix)}: is not known. If this is an IRI, write <${short(text)}>.`,
  openQuote: (text: string): string => `“${short(text)}” has no closing quote, or one too many.`,
  afterQuote: (text: string): string =>
    `“${short(text)}” is neither a language such as @en nor a datatype such as ^^xsd:date.`,
  inLine: (line: number, problem: string): string => `Line ${String(line)}: ${problem}`,
  standsFor: (terms: readonly string[]): string => `Stands for ${terms.join(', ')}`,
} as const;

/** The two RDF 1.1 forms of strings with a base direction in the JSON-LD specification (`rdfDirection`). */
import { isLanguageTag, RDF_NS } from '@quadrille/model';

const I18N_NS = 'https://www.w3.org/ns/i18n#';
const I18N_DATATYPE = /^https:\/\/www\.w3\.org\/ns\/i18n#([a-z0-9-]*)_(ltr|rtl)$/;

/** A string of JSON-LD with a base direction. */
export interface DirectedText {
  readonly value: string;
  /** In lower case. Empty if there is none. */
  readonly language: string;
  readonly direction: string;
}

/** The predicates of a blank node that represents such a string. */
export const COMPOUND = {
  value: `${RDF_NS}value`,
  language: `${RDF_NS}language`,
  direction: `${RDF_NS}direction`,
} as const;

/** The datatype that represents a language and a base direction. */
export const i18nDatatype = ({ language, direction }: DirectedText): string => `${I18N_NS}${language}_${direction}`;

/** The string that a literal of such a datatype represents. Undefined for other datatypes. */
export function textOfI18n(value: string, datatype: string): DirectedText | undefined {
  const [, language, direction] = I18N_DATATYPE.exec(datatype) ?? [];
  return direction === undefined ? undefined : directedText(value, language!, direction);
}

/** Whether a string is read back unchanged: its direction is legal, and its language is a tag in lower case. */
export function directedText(value: string, language: string, direction: string): DirectedText | undefined {
  if (direction !== 'ltr' && direction !== 'rtl') return undefined;
  if (language !== '' && (!isLanguageTag(language) || language !== language.toLowerCase())) return undefined;
  return { value, language, direction };
}

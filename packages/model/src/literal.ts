/** Literals. Language tags have their canonical case, and are equal whatever their case. */
import type * as RDF from '@rdfjs/types';
import { NamedNode } from 'rdf-data-factory';
import { canonicalLanguage } from './language-tag.js';

const STRING = new NamedNode('http://www.w3.org/2001/XMLSchema#string');
const LANGUAGE_STRING = new NamedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#langString');
const DIRECTIONAL_LANGUAGE_STRING = new NamedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString');

export class Literal implements RDF.Literal {
  readonly termType = 'Literal';
  readonly language: string;
  readonly datatype: RDF.NamedNode;
  readonly direction: 'ltr' | 'rtl' | '';

  constructor(
    readonly value: string,
    languageOrDatatype?: string | RDF.NamedNode | RDF.DirectionalLanguage,
  ) {
    if (languageOrDatatype === undefined) {
      this.language = '';
      this.datatype = STRING;
      this.direction = '';
    } else if (typeof languageOrDatatype === 'string') {
      this.language = canonicalLanguage(languageOrDatatype);
      this.datatype = LANGUAGE_STRING;
      this.direction = '';
    } else if ('termType' in languageOrDatatype) {
      this.language = '';
      this.datatype = languageOrDatatype;
      this.direction = '';
    } else {
      const { language, direction } = languageOrDatatype;
      this.language = canonicalLanguage(language);
      this.datatype = direction ? DIRECTIONAL_LANGUAGE_STRING : LANGUAGE_STRING;
      this.direction = direction || '';
    }
  }

  equals(other?: RDF.Term | null): boolean {
    return (
      other?.termType === 'Literal' &&
      other.value === this.value &&
      (other.language === this.language || other.language.toLowerCase() === this.language.toLowerCase()) &&
      (other.direction || '') === this.direction &&
      this.datatype.equals(other.datatype)
    );
  }
}

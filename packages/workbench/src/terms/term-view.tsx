/** A term as a reader sees it. Everything is text: nothing of a term is markup, and only web addresses lead out of the page. */
import { hrefOf } from '../router.js';
import { parseTerm, shortened, type Term } from '../rows/term.js';
import { namespaces, repository } from '../state/repository.js';
import { at } from '../state/revision.js';

/** A term where it may not be a link, such as in a heading that is a button itself. */
export function TermText({ cell }: { readonly cell: string }) {
  const term = parseTerm(cell);
  if (term.kind !== 'iri') return <ParsedTerm term={term} />;
  return (
    <bdi class="term iri" title={term.value}>
      {shortened(term.value, namespaces.value) ?? `<${term.value}>`}
    </bdi>
  );
}

export function TermView({ cell }: { readonly cell: string }) {
  return <ParsedTerm term={parseTerm(cell)} />;
}

export function ParsedTerm({ term }: { readonly term: Term }) {
  const { kind, value, language, direction, datatype } = term;
  if (kind === 'unbound') return <span class="term unbound" />;
  if (kind === 'iri') return <IriView iri={value} />;
  if (kind !== 'literal') {
    return (
      <bdi class={`term ${kind}`} title={value}>
        {value}
      </bdi>
    );
  }
  const plain = datatype === undefined || SILENT.test(datatype);
  return (
    <span class="term literal">
      <bdi lang={language} dir={direction} title={value}>
        {value}
      </bdi>
      {language !== undefined && <span class="term-note">{language}</span>}
      {!plain && <span class="term-note">{shortened(datatype, namespaces.value) ?? datatype}</span>}
    </span>
  );
}

/** Datatypes that the value itself shows. */
const SILENT = /^http:\/\/www\.w3\.org\/2001\/XMLSchema#(?:string|integer|decimal|double|boolean)$/;

export function IriView({ iri }: { readonly iri: string }) {
  const short = shortened(iri, namespaces.value);
  const href = repository.value === undefined ? undefined : hrefOf('resource', repository.value, { iri, at: at.value });
  const content = <bdi>{short ?? `<${iri}>`}</bdi>;
  return href === undefined ? (
    <span class="term iri" title={iri}>
      {content}
    </span>
  ) : (
    <a class="term iri" href={href} title={iri}>
      {content}
    </a>
  );
}

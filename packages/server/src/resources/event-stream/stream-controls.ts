/** What the pages of an event stream say of themselves, in the vocabularies of LDES and TREE. */
import type * as RDF from '@rdfjs/types';
import { iri, literal, quad } from 'quadrille';

const LDES = 'https://w3id.org/ldes#';
const TREE = 'https://w3id.org/tree#';
export const AS = 'https://www.w3.org/ns/activitystreams#';
export const PROV = 'http://www.w3.org/ns/prov#';
export const QUADRILLE = 'urn:quadrille:';
export const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const PREFIXES: Readonly<Record<string, string>> = { ldes: LDES, tree: TREE, as: AS, prov: PROV, xsd: XSD };

/** Where a page stands. */
export interface StreamAddress {
  /** Of the stream, without a page and a branch. */
  readonly url: string;
  /** The query that names the branch, `?branch=…`; empty where the request names none. */
  readonly query: string;
  readonly page: number | undefined;
}

export const streamIri = ({ url, query }: StreamAddress): RDF.NamedNode => iri(`${url}${query}#stream`);
export const pageIri = ({ url, page, query }: StreamAddress): RDF.NamedNode =>
  iri((page === undefined ? url : `${url}/${String(page)}`) + query);
export const timeLiteral = (time: Date): RDF.Literal => literal(time.toISOString(), iri(`${XSD}dateTime`));
export const FINAL = literal('true', iri(`${XSD}boolean`));
/** Whether a member is the last one of its revision. */
export const FINALIZED = `${QUADRILLE}lastOfRevision`;

/** The stream, and the way to its first page. */
export function* streamControls(address: StreamAddress, first: Date | undefined): Generator<RDF.Quad> {
  const stream = streamIri(address);
  const say = (predicate: string, object: RDF.Quad_Object): RDF.Quad => quad(stream, iri(predicate), object);
  yield say(RDF_TYPE, iri(`${LDES}EventStream`));
  yield say(`${LDES}timestampPath`, iri(`${AS}published`));
  yield say(`${LDES}versionOfPath`, iri(`${AS}object`));
  yield say(`${LDES}versionCreateObject`, iri(`${AS}Create`));
  yield say(`${LDES}versionUpdateObject`, iri(`${AS}Update`));
  yield say(`${LDES}versionDeleteObject`, iri(`${AS}Delete`));
  yield say(`${LDES}transactionPath`, iri(`${PROV}wasGeneratedBy`));
  yield say(`${LDES}transactionFinalizedPath`, iri(FINALIZED));
  yield say(`${LDES}transactionFinalizedObject`, FINAL);
  yield say(`${TREE}view`, pageIri(address));
  yield* relation(address, 1, first);
}

/** A page, and the way to the next one. */
export function* pageControls(address: StreamAddress, next: Date | undefined): Generator<RDF.Quad> {
  yield quad(streamIri(address), iri(`${TREE}view`), pageIri({ ...address, page: undefined }));
  yield quad(pageIri(address), iri(RDF_TYPE), iri(`${TREE}Node`));
  if (next !== undefined) yield* relation(address, address.page! + 1, next);
}

/** All members of the other page are of this time or later. */
function* relation(address: StreamAddress, page: number, from: Date | undefined): Generator<RDF.Quad> {
  const other = pageIri({ ...address, page });
  // Blank nodes could be those of the data.
  const link = iri(`${pageIri(address).value}#to-${String(page)}`);
  yield quad(pageIri(address), iri(RDF_TYPE), iri(`${TREE}Node`));
  yield quad(pageIri(address), iri(`${TREE}relation`), link);
  yield quad(link, iri(`${TREE}node`), other);
  if (from === undefined) return yield quad(link, iri(RDF_TYPE), iri(`${TREE}Relation`));
  yield quad(link, iri(RDF_TYPE), iri(`${TREE}GreaterThanOrEqualToRelation`));
  yield quad(link, iri(`${TREE}path`), iri(`${AS}published`));
  yield quad(link, iri(`${TREE}value`), timeLiteral(from));
}

export const memberLink = (address: StreamAddress, member: RDF.NamedNode): RDF.Quad =>
  quad(streamIri(address), iri(`${TREE}member`), member);

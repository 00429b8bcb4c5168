/** Lists of the server as query results. */
import type { ResultRow } from '@quadrille/formats';
import { iri, literal, rowsDocument } from 'quadrille';
import { contentType } from './media-types.js';
import { textBody } from '../message/text-body.js';
import { Reply } from '../message/reply.js';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const integer = (value: number): ReturnType<typeof literal> => literal(String(value), iri(`${XSD}integer`));
export const boolean = (value: boolean): ReturnType<typeof literal> => literal(String(value), iri(`${XSD}boolean`));

/** The reply with the rows. */
export async function rowsReply(
  mediaType: string,
  variables: readonly string[],
  rows: Iterable<ResultRow> | AsyncIterable<ResultRow>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return new Reply(await textBody(rowsDocument(mediaType, variables, rows)), {
    headers: { 'Content-Type': contentType(mediaType), Vary: 'Accept', ...headers },
  });
}

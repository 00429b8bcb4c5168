/** Quads as a dataset in memory. Apart, so that bundlers take of n3 only what is named here. */
import type * as RDF from '@rdfjs/types';
import { Store } from 'n3';

export async function toDataset(quads: AsyncIterable<RDF.Quad>): Promise<RDF.DatasetCore> {
  const dataset = new Store();
  for await (const quad of quads) dataset.addQuad(quad);
  return dataset as unknown as RDF.DatasetCore;
}

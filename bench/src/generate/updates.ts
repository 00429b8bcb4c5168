/**
 * Changes to generated data, commit by commit: offers get new prices. Every commit can be made without the earlier
 * ones.
 */
import type * as RDF from '@rdfjs/types';
import type { GeneratorOptions } from './entities.js';
import { EntityWriter, offerNode } from './entities.js';
import { priceOf } from './market.js';
import { shapeFor } from './shape.js';
import { bsbm, quad } from './vocabulary.js';

export interface Change {
  readonly removed: readonly RDF.Quad[];
  readonly added: readonly RDF.Quad[];
}

/**
 * Distance between consecutive offers. It shares no factor with the number of offers, so each offer comes once a
 * round in a mixed order.
 */
const STRIDE = 1_000_000_007;

/**
 * The changes of commit `index`, from 0. Each commit replaces the prices of `size` offers as earlier commits left
 * them.
 */
export function updatesOf(options: GeneratorOptions, size = 1): (index: number) => Change {
  const shape = shapeFor(options.quads);
  const { offers } = shape;
  if (size > offers) throw new Error(`a commit can change at most ${offers} offers, not ${size}`);
  const out = new EntityWriter(shape, options.seed ?? 1, options.graphs ?? 0);
  const priceQuad = (offer: number, version: number): RDF.Quad => {
    const subject = offerNode(offer);
    out.begin('offer', offer, subject);
    return quad(subject, bsbm.price, priceOf(out, version), out.graphOf('offer', offer));
  };
  return (index) => {
    const change = { removed: [] as RDF.Quad[], added: [] as RDF.Quad[] };
    for (let turn = index * size; turn < (index + 1) * size; turn++) {
      const round = Math.floor(turn / offers);
      const offer = Number((BigInt(turn % offers) * BigInt(STRIDE)) % BigInt(offers));
      change.removed.push(priceQuad(offer, round));
      change.added.push(priceQuad(offer, round + 1));
    }
    return change;
  };
}

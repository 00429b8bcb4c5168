/** Changes to generated data, commit after commit: offers get new prices. Any commit can be made without those before it. */
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

/** Shares no factor with how many offers there are; so the offers come in a mixed order, each of them once a round. */
const STRIDE = 1_000_000_007;

/** The changes of commit `index`, from 0; each replaces the prices of `size` offers that the commit before left. */
export function updatesOf(options: GeneratorOptions, size = 1): (index: number) => Change {
  const shape = shapeFor(options.quads);
  const { offers } = shape;
  if (size > offers) throw new Error(`a commit changes at most the ${offers} offers that there are, not ${size}`);
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

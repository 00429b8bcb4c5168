/** Names of the native stores with which queries can be compared. */
export const PEER_NAMES = ['pyoxigraph', 'jena', 'rdf4j', 'virtuoso'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

/** The terms of SHACL, and those of RDF, RDFS and OWL that it uses. */
import { RDF_NS } from '@quadrille/model';

/** Namespace of SHACL. */
export const SH = 'http://www.w3.org/ns/shacl#';
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
export const OWL = 'http://www.w3.org/2002/07/owl#';

export const RDF_TYPE = `${RDF_NS}type`;
export const RDF_FIRST = `${RDF_NS}first`;
export const RDF_REST = `${RDF_NS}rest`;
export const RDF_REIFIES = `${RDF_NS}reifies`;
export const RDF_NIL = `${RDF_NS}nil`;
export const RDFS_CLASS = `${RDFS}Class`;
export const OWL_CLASS = `${OWL}Class`;
export const OWL_IMPORTS = `${OWL}imports`;
export const SUB_CLASS_OF = `${RDFS}subClassOf`;

/** XML-RPC as bytes: a call is read, a response or a fault is written. */
export { readXmlCall } from './read-call.js';
export { writeXmlFault, writeXmlResponse, type XmlWriteOptions } from './write.js';

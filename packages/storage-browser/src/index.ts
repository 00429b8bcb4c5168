export { deleteIndexedDb, IndexedDbDriver, openIndexedDb, type IndexedDbOptions } from './indexeddb-driver.js';

/** Backups to directories and streams: Node.js only. Loaded when the first backup is made or read. */
export { backup } from './run-backup.js';
export { restore } from './restore.js';
export { verifyBackup } from './verify-backup.js';
export { unpackBackup } from './unpack.js';

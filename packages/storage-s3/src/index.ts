export { openS3, type OpenS3Options } from './open-s3.js';
export { S3Driver, type S3Options } from './s3-driver.js';
export type { CredentialsSource, S3Credentials } from './credentials.js';
export type { ObjectAnswer, ObjectRequest, Transport } from './transport.js';

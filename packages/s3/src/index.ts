export { joinS3, type JoinS3Options, openS3, type OpenS3Options } from './open-s3.js';
export { S3Driver, type S3Options } from './s3-driver.js';
export type { CredentialsSource, S3Credentials } from './credentials.js';
export { NoAnswer, type ObjectAnswer, type ObjectRequest, type Transport } from './object-request.js';

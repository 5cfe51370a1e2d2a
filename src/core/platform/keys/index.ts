export { createKeySet } from './key-set.ts'
export { publicJwk, type PublicJwk, type ServerKey, type ServerKeyPair } from './server-key.ts'
export { createServerKey, readServerKey, readServerKeyPair, rotateServerKey, serverKeyPath } from './server-key-file.ts'
export { loadSigningSecret, signingSecretProblem } from './signing-secret.ts'
export {
  createUrlSigner,
  parseGrantOfSignature,
  parsePolicyOfSignature,
  type AddressGrant,
  type UrlSigner,
} from './url-signer.ts'

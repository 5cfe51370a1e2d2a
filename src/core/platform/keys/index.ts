export { keyErrors } from './errors.ts'
export { loadSigningSecret } from './signing-secret.ts'
export { createUrlSigner, type Signature, type SignatureVerdict, type UrlSigner } from './url-signer.ts'

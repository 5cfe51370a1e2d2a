export { loadSigningSecret } from './signing-secret.ts'
export { createUrlSigner, type UrlSigner } from './url-signer.ts'

const HTTPS = /^https:\/\/[^\s/?#@\\]{1,300}(?:\/[^\s?#\\]{0,150})?$/i
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/[^\s?#\\]{0,150})?$/i

/** Describes what is wrong with the issuer of an OpenID provider, as half a sentence. Undefined for a valid issuer. */
export function issuerProblem(text: string): string | undefined {
  if ((HTTPS.test(text) || LOOPBACK.test(text)) && URL.canParse(text)) return undefined
  return 'must be an https address without a query, for example https://auth.example.org; http only on this machine'
}

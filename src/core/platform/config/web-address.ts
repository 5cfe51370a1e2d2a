/** No credentials and no query: paths and queries of requests are appended. */
const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\]{1,300}(?:\/[^\s?#\\]{0,500})?$/i

/** Describes what is wrong with the address of a web service, as half a sentence. Undefined for a valid address. */
export function webAddressProblem(text: string): string | undefined {
  if (WEB_ADDRESS.test(text) && URL.canParse(text)) return undefined
  return 'must be an http or https address without a query, for example https://api.example.org/v1'
}

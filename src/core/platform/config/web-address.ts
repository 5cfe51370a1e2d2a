/** No credentials, no query: what is asked is added behind it. */
const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\]{1,300}(?:\/[^\s?#\\]{0,500})?$/i

/** What is wrong with the address of a service on another server, as half a sentence; undefined when nothing. */
export function webAddressProblem(text: string): string | undefined {
  if (WEB_ADDRESS.test(text) && URL.canParse(text)) return undefined
  return 'must be an http or https address without a query, for example https://api.example.org/v1'
}

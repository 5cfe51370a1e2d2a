/** The length limit keeps very long texts away from `new URL`. */
const ADDRESS = /^https?:\/\/[^\s?#@\\]{1,2000}$/i

/**
 * Describes what is wrong with the address of another server (a path may follow the host), as half a sentence. Undefined for a valid
 * address.
 */
export function serverAddressProblem(text: string): string | undefined {
  if (ADDRESS.test(text) && URL.canParse(text)) return undefined
  return 'must be an http or https address without user name and query, for example http://127.0.0.1:7878'
}

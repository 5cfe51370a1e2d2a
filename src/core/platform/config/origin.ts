/** The length limit prevents very long texts from reaching `new URL`. Credentials, paths and queries are refused, not dropped. */
const ORIGIN = /^https?:\/\/[^\s/?#@\\]{1,300}\/?$/i

/** Describes what is wrong with the origin of a server (scheme, host, port), as a phrase that follows the name of the option. Undefined for a valid origin. */
export function originProblem(text: string): string | undefined {
  if (ORIGIN.test(text) && URL.canParse(text)) return undefined
  return 'must be an http or https address without a path, for example https://media.example.org'
}

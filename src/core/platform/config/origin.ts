/** The length limit keeps `new URL` out of megabytes. Credentials, paths and queries are refused rather than dropped. */
const ORIGIN = /^https?:\/\/[^\s/?#@\\]{1,300}\/?$/i

/** What is wrong with the address of a server as browsers know it (scheme, host, port), as half a sentence; undefined when nothing. */
export function originProblem(text: string): string | undefined {
  if (ORIGIN.test(text) && URL.canParse(text)) return undefined
  return 'must be an http or https address without a path, for example https://media.example.org'
}

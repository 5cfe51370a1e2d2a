/** The length limit keeps `new URL` out of megabytes. */
const ADDRESS = /^https?:\/\/[^\s?#@\\]{1,2000}$/i

/** What is wrong with the address of another server (a path may follow the host), as half a sentence; undefined when nothing. */
export function serverAddressProblem(text: string): string | undefined {
  if (ADDRESS.test(text) && URL.canParse(text)) return undefined
  return 'must be an http or https address without user name and query, for example http://127.0.0.1:7878'
}

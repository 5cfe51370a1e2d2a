/** No user name, path or query: a hub has an origin of its own. */
const ORIGIN = /^https?:\/\/[^\s/?#@\\]{1,300}\/?$/i

/** The origin of a hub, without a trailing slash. Undefined for a text that is not one. */
export function parseHubOrigin(text: string): string | undefined {
  const trimmed = text.trim()
  return ORIGIN.test(trimmed) ? (URL.parse(trimmed)?.origin ?? undefined) : undefined
}

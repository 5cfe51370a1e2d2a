/** Codecs that a client reports as supported (true) or unsupported (false). */
export type ClientCapabilities = ReadonlyMap<string, boolean>

const MAX_HEADER_LENGTH = 4096

/** Parses the header `X-Phlix-Client-Capabilities`, a JSON object from codec to boolean. Invalid values are ignored. */
export function readCapabilities(header: string | string[] | undefined): ClientCapabilities {
  if (typeof header !== 'string' || header.length > MAX_HEADER_LENGTH) return new Map()
  try {
    const parsed: unknown = JSON.parse(header)
    if (typeof parsed !== 'object' || parsed === null) return new Map()
    const entries = Object.entries(parsed).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
    return new Map(entries.map(([codec, isPlayable]) => [codec.toLowerCase(), isPlayable]))
  } catch {
    return new Map()
  }
}

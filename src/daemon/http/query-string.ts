import { parse } from 'node:querystring'

/** More parameters than any client sends; the rest is not read. */
const MAX_PARAMETERS = 500

/**
 * Reads a query string into names and values. `name[]`, `name[0]` and a repeated `name` are one list under `name`, since clients
 * write lists in all three ways (decisions 3.3, Query arrays); an empty value is the same as none. The result has no prototype,
 * so that `__proto__` is a name like any other (M16).
 */
export function parseQueryString(text: string): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [rawName, rawValue] of Object.entries(parse(text, '&', '=', { maxKeys: MAX_PARAMETERS }))) {
    const values = [rawValue ?? []].flat().filter((value) => value !== '')
    if (values.length === 0) continue
    const name = rawName.replace(/\[\d{0,4}\]$/, '')
    const isList = name !== rawName || values.length > 1 || result[name] !== undefined
    result[name] = isList ? [...[result[name] ?? []].flat(), ...values] : (values[0] ?? '')
  }
  return result
}

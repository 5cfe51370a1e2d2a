import { parse } from 'node:querystring'

/** Maximum number of parameters, more than any client sends; further parameters are ignored. */
const MAX_PARAMETERS = 500

/**
 * Parses a query string. `name[]`, `name[0]` and a repeated `name` are one list under `name`, because clients use all three notations. An
 * empty value counts as missing. The result has no prototype, so `__proto__` is an ordinary key.
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

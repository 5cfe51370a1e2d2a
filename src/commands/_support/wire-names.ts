/**
 * A value of the core as JSON says it: keys in snake_case, times as ISO 8601, bytes as how many there are. Keys that are data and no
 * names (`external_ids`, tags by their own words) are the caller's to keep out.
 */
export function toWireNames(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return { bytes: value.length }
  if (Array.isArray(value)) return value.map((one) => toWireNames(one))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnakeCase(key), toWireNames(inner)]))
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

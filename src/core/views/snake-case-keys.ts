/**
 * Converts a value of the core to JSON: snake_case keys, ISO 8601 times, byte arrays as their length. The caller must exclude maps whose
 * keys are data (`external_ids`, tags).
 */
export function snakeCaseKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return { bytes: value.length }
  if (Array.isArray(value)) return value.map((one) => snakeCaseKeys(one))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnakeCase(key), snakeCaseKeys(inner)]))
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

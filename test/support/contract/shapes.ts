/**
 * The expected shape of a value: a type name from the list below, `type|null`, a non-empty list whose entries all have one shape, or an
 * object with exactly these keys; a key that ends in `?` is optional.
 */
export type Shape = string | readonly [Shape] | { readonly [key: string]: Shape }

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const SIGNED = /^\/[^?#]+\?(?:[\w=&]+&)?exp=\d+&sig=[\w-]{43}(?:[\w-]{45})?(?:&[\w=&]+)?$/

const isText = (value: unknown): value is string => typeof value === 'string'

const WORDS: Record<string, (value: unknown) => boolean> = {
  string: isText,
  strings: (value) => Array.isArray(value) && value.every(isText),
  integers: (value) => Array.isArray(value) && value.every(Number.isInteger),
  integer: (value) => Number.isInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  list: (value) => Array.isArray(value),
  null: (value) => value === null,
  uuid: (value) => isText(value) && UUID.test(value),
  time: (value) => isText(value) && ISO_8601.test(value),
  address: (value) => isText(value) && SIGNED.test(value),
}

/** The differences between a value and its shape, each with its path; empty if there are none. */
export function mismatches(shape: Shape, value: unknown, place = 'body'): string[] {
  if (typeof shape === 'string') return isOf(shape, value) ? [] : [`${place} is no ${shape}: ${JSON.stringify(value)}`]
  if (isList(shape)) {
    if (!Array.isArray(value) || value.length === 0) return [`${place} is no list with entries`]
    return value.flatMap((entry, index) => mismatches(shape[0], entry, `${place}[${index}]`))
  }
  if (!WORDS['object']?.(value)) return [`${place} is no object`]
  return keyMismatches(shape, value as Record<string, unknown>, place)
}

function isOf(word: string, value: unknown): boolean {
  return word.split('|').some((one) => {
    const is = WORDS[one]
    if (is === undefined) throw new Error(`no shape is called ${one}`)
    return is(value)
  })
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function keyMismatches(
  shape: { readonly [key: string]: Shape },
  value: Record<string, unknown>,
  place: string,
): string[] {
  const known = new Map(
    Object.entries(shape).map(([key, of]) => [key.replace(/\?$/, ''), { of, isOptional: key.endsWith('?') }]),
  )
  const extra = Object.keys(value).filter((key) => !known.has(key))
  return [
    ...extra.map((key) => `${place}.${key} is in no document`),
    ...[...known].flatMap(([key, { of, isOptional }]) => {
      if (!Object.hasOwn(value, key)) return isOptional ? [] : [`${place}.${key} is missing`]
      return mismatches(of, value[key], `${place}.${key}`)
    }),
  ]
}

/** The value at a path of keys; of a list the first entry. */
export function reach(value: unknown, path: string): unknown {
  let found = value
  for (const step of path.split('.')) {
    const inside = Array.isArray(found) ? found[0] : found
    found = (inside as Record<string, unknown> | null | undefined)?.[step]
  }
  return found
}

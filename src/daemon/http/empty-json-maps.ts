type ObjectSchema = { type?: unknown; properties?: Readonly<Record<string, unknown>> }

/** Converts `[]` to `{}` and returns everything else unchanged. Clients written in PHP encode an empty map as an empty list. */
export function emptyListToMap(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value
}

/** Converts `[]` to `{}` in each field of a body whose JSON schema expects an object. All other values are unchanged. */
export function emptyListsToMaps(schema: unknown, body: unknown): unknown {
  const { type, properties = {} } = (schema ?? {}) as ObjectSchema
  if (type !== 'object' || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const changed = Object.entries(properties).flatMap(([name, part]) => {
    if (!Object.hasOwn(body, name)) return []
    const before = (body as Record<string, unknown>)[name]
    const isMap = (part as ObjectSchema).type === 'object'
    const after = emptyListsToMaps(part, isMap ? emptyListToMap(before) : before)
    return after === before ? [] : [[name, after] as const]
  })
  return changed.length === 0 ? body : { ...body, ...Object.fromEntries(changed) }
}

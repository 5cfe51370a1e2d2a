/** The fields that say something: neither null nor an empty list. */
export function known(fields: Record<string, unknown>): Record<string, unknown> {
  const said: Record<string, unknown> = {}
  // Called for each file of a scan: lists of pairs made and unmade cost several times as much.
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)) said[name] = value
  }
  return said
}

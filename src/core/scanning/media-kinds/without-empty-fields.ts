/** Returns the fields with a value: neither null nor an empty list. */
export function withoutEmptyFields(fields: Record<string, unknown>): Record<string, unknown> {
  const present: Record<string, unknown> = {}
  // A loop is several times faster than entry lists, and this runs for every file of a scan.
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)) present[name] = value
  }
  return present
}

import type { IAudioMetadata } from 'music-metadata'

/** Limit of values per tag. */
const MAX_VALUES = 200

/** Prefixes that formats add to tags without a short name. */
const WRAPPER = /^(?:txxx:|----:com\.apple\.itunes:|----:com\.pilabor\.tone:|wm\/|(?:track|album|edition|segment):)/

/** Tags by lower-case name (`series`, `mvnm`, `©nrt`), without the prefixes of formats. */
export type NativeTags = ReadonlyMap<string, readonly unknown[]>

/** Collects the tags of all formats in the file. */
export function collectNativeTags({ native }: IAudioMetadata): NativeTags {
  const valuesByName = new Map<string, unknown[]>()
  for (const tags of Object.values(native)) {
    for (const { id, value } of tags) {
      const name = plainName(id)
      const values = valuesByName.get(name)
      if (values === undefined) valuesByName.set(name, [value])
      else if (values.length < MAX_VALUES) values.push(value)
    }
  }
  return valuesByName
}

function plainName(id: string): string {
  const name = id.toLowerCase()
  // Most names are short and have no prefix.
  return name.includes(':') || name.includes('/') ? name.replace(WRAPPER, '') : name
}

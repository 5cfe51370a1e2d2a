import type { IAudioMetadata } from 'music-metadata'

/** Files that repeat a tag thousands of times do not get more of it looked at. */
const MAX_VALUES = 200

/** Wrappers in which formats keep tags that have no short name of their own. */
const WRAPPER = /^(?:txxx:|----:com\.apple\.itunes:|----:com\.pilabor\.tone:|wm\/|(?:track|album|edition|segment):)/

/** Tags by their plain lower-case name (`series`, `mvnm`, `©nrt`), whatever the format wraps around it. */
export type NativeTags = ReadonlyMap<string, readonly unknown[]>

/** Gathered from every kind of tag the file has. */
export function nativeTagsOf({ native }: IAudioMetadata): NativeTags {
  const found = new Map<string, unknown[]>()
  for (const tags of Object.values(native)) {
    for (const { id, value } of tags) {
      const name = plainName(id)
      const values = found.get(name)
      if (values === undefined) found.set(name, [value])
      else if (values.length < MAX_VALUES) values.push(value)
    }
  }
  return found
}

function plainName(id: string): string {
  const name = id.toLowerCase()
  // Most names are four letters long and wrapped in nothing.
  return name.includes(':') || name.includes('/') ? name.replace(WRAPPER, '') : name
}

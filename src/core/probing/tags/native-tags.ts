import type { IAudioMetadata } from 'music-metadata'

/** Files that repeat a tag thousands of times do not get more of it looked at. */
const MOST_VALUES = 200

/** Wrappers in which formats keep tags that have no short name of their own. */
const WRAPPER = /^(?:txxx:|----:com\.apple\.itunes:|----:com\.pilabor\.tone:|wm\/|(?:track|album|edition|segment):)/

/** Tags by their plain lower-case name (`series`, `mvnm`, `©nrt`), whatever the format wraps around it. */
export type NativeTags = ReadonlyMap<string, readonly unknown[]>

/** The tags that `names` lists, gathered from every kind of tag the file has; the rest is left alone. */
export function nativeTagsOf({ native }: IAudioMetadata, names: ReadonlySet<string> | RegExp): NativeTags {
  const found = new Map<string, unknown[]>()
  for (const tags of Object.values(native)) {
    for (const { id, value } of tags) {
      const name = id.toLowerCase().replace(WRAPPER, '')
      if (names instanceof RegExp ? !names.test(name) : !names.has(name)) continue
      const values = found.get(name) ?? []
      if (values.length < MOST_VALUES) values.push(value)
      found.set(name, values)
    }
  }
  return found
}

import type { BrowsedFolder } from '../../../core/libraries/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'

/** Entries have a kind and a size, because one client reads them; folders have no size. */
export function foldersView({ path, parent, folders, isTruncated }: BrowsedFolder) {
  const entries = folders.map(({ name, path: place, modifiedAtMilliseconds }) => ({
    name,
    path: place,
    type: 'directory' as const,
    size: 0,
    modified: toIsoTimestamp(new Date(modifiedAtMilliseconds)),
  }))
  return { path, parent, entries, truncated: isTruncated }
}

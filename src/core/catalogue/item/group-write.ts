import type { MediaItem } from './media-item.ts'

/** A row that is not a single file. It is identified by library, type and key. */
export type GroupWrite = Pick<MediaItem, 'type' | 'name' | 'sortTitle' | 'year'> & {
  key: string
  seasonNumber?: number | null
  metadata: Record<string, unknown>
}

/** A group of one level, with the group above it. */
export type GroupWithParent = GroupWrite & { parentId: string | null }

/**
 * What a folder says about its group. `isFromFile` true: the facts come from a file. False: they are derived from names and count only if no
 * file of another folder describes the group.
 */
export type GroupFacts = Pick<GroupWrite, 'type' | 'key' | 'name' | 'sortTitle' | 'year'> & {
  isFromFile: boolean
  nameSource: 'file' | 'local'
  localMetadata: Record<string, unknown>
}

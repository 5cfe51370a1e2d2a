import type { Collection } from '../../core/collections/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import type { SmartPlaylist } from '../../core/smart-playlists/index.ts'

/** A smart playlist as JSON: the names of the HTTP API. */
export function wirePlaylist(playlist: SmartPlaylist): Record<string, unknown> {
  return {
    id: playlist.id,
    name: playlist.name,
    library_id: playlist.libraryId,
    rules_json: playlist.rules,
    limit: playlist.limit,
    sort_by: playlist.sortBy,
    sort_desc: playlist.isDescending,
    created_at: toIsoTimestamp(playlist.createdAt),
    updated_at: toIsoTimestamp(playlist.updatedAt),
  }
}

/** A collection as JSON: the names of the HTTP API, times as everywhere on the command line. */
export function wireCollection(collection: Collection): Record<string, unknown> {
  return {
    id: collection.id,
    name: collection.name,
    library_id: collection.libraryId,
    smart_playlist_id: collection.smartPlaylistId,
    parent_id: collection.parentId,
    sort_order: collection.sortOrder,
    is_smart: collection.smartPlaylistId !== null,
    created_at: toIsoTimestamp(collection.createdAt),
    updated_at: toIsoTimestamp(collection.updatedAt),
  }
}

/** How a smart playlist sorts and where it ends: `addedAt descending, at most 50`. */
export function describeOrder({ sortBy, isDescending, limit }: SmartPlaylist): string {
  const way = sortBy === 'random' ? '' : isDescending ? ' descending' : ' ascending'
  return `${sortBy}${way}${limit === 0 ? '' : `, at most ${limit}`}`
}

const HEADS = { and: 'all of', or: 'one of', not: 'not' } as const

/** Rules as lines: `all of`, and below it, indented, what has to fit. */
export function describeRules(node: SmartPlaylist['rules'], indent = ''): string[] {
  if ('field' in node) return [`${indent}${node.field} ${node.op} ${JSON.stringify(node.value)}`]
  return [`${indent}${HEADS[node.logic]}`, ...node.rules.flatMap((rule) => describeRules(rule, `${indent}  `))]
}

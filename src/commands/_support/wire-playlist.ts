import type { Collection } from '../../core/collections/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import type { SmartPlaylist } from '../../core/smart-playlists/index.ts'

/** A smart playlist as JSON, with the keys of the HTTP API. */
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

/** A collection as JSON, with the keys of the HTTP API; times as in other commands. */
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

/** Sort order and limit of a smart playlist: `addedAt descending, at most 50`. */
export function describeOrder({ sortBy, isDescending, limit }: SmartPlaylist): string {
  const way = sortBy === 'random' ? '' : isDescending ? ' descending' : ' ascending'
  return `${sortBy}${way}${limit === 0 ? '' : `, at most ${limit}`}`
}

const LOGIC_TITLES = { and: 'all of', or: 'one of', not: 'not' } as const

/** The rules as lines: `all of`, and the conditions indented below it. */
export function describeRules(node: SmartPlaylist['rules'], indent = ''): string[] {
  if ('field' in node) return [`${indent}${node.field} ${node.op} ${JSON.stringify(node.value)}`]
  return [`${indent}${LOGIC_TITLES[node.logic]}`, ...node.rules.flatMap((rule) => describeRules(rule, `${indent}  `))]
}

import type { SearchResults } from '../api-types.d.ts'
import type { CardItem } from '../cards/facts.ts'
import type { Messages } from '../messages/en.ts'
import { LISTED_KINDS, listOf, type ListedKind, type Place } from '../places/place.ts'

/** Results of one kind. `kind` is set if it has a list of its own, and there are more. */
export type SearchGroup = { key: keyof Messages['kinds']; items: readonly CardItem[]; kind?: ListedKind }

/** Names: artists, albums and collections, with the page of each. */
export type NamedGroup = { key: keyof Messages['kinds']; names: readonly { name: string; facts: string; to: Place }[] }

/** The groups that have results, in their order. */
export function itemGroups(results: SearchResults): SearchGroup[] {
  return LISTED_KINDS.flatMap((kind) => {
    const { items, has_more: hasMore } = results[kind]
    return items.length === 0 ? [] : [{ key: kind, items, ...(hasMore ? { kind } : {}) }]
  })
}

export function namedGroups({ artists, albums, collections }: SearchResults, texts: Messages): NamedGroup[] {
  const groups: NamedGroup[] = [
    {
      key: 'artists',
      names: artists.items.map(({ name, track_count: count }) => {
        return { name, facts: texts.songs(count), to: { page: 'artist', name } }
      }),
    },
    {
      key: 'albums',
      names: albums.items.map(({ name, artist }) => {
        return { name, facts: artist, to: { page: 'album', title: name, artist } }
      }),
    },
    {
      key: 'collections',
      names: collections.items.map(({ name }) => ({ name, facts: '', to: listOf('', { words: name }) })),
    },
  ]
  return groups.filter(({ names }) => names.length > 0)
}

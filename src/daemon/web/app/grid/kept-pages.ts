import type { MediaList } from '../api-types.d.ts'
import { fetchReply } from '../data/replies.ts'
import { createRowPages, type FetchRows, type RowPages } from './row-pages.ts'

/** Lists whose rows are kept, so that a step back shows them at once. */
const MAX_LISTS = 10

const lists = new Map<string, RowPages>()

/** The rows of a list of titles, known ones included. @param query the query of the list without `limit` and `offset` */
export function keptPages(query: string): RowPages {
  return keptRows(query, ({ limit, offset }) =>
    fetchReply<MediaList>(`/api/v1/media?${query}&limit=${limit}&offset=${offset}`),
  )
}

/** The rows of any list. @param key names the list; the same one is always asked for in the same way */
export function keptRows(key: string, fetchRows: FetchRows): RowPages {
  const pages = lists.get(key) ?? createRowPages(fetchRows)
  lists.delete(key)
  lists.set(key, pages)
  for (const old of lists.keys()) {
    if (lists.size <= MAX_LISTS) break
    lists.delete(old)
  }
  return pages
}

/** They may have changed. The list that was used last may be on the page, and stays there until its rows have arrived again. */
export function renewLists(): void {
  const last = [...lists].at(-1)
  lists.clear()
  if (last === undefined) return
  const [query, pages] = last
  lists.set(query, pages)
  pages.renew()
}

/** They may have changed, or belong to somebody else. */
export function forgetLists(): void {
  lists.clear()
}

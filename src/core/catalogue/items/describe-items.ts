import type { Connection } from '../../platform/database/index.ts'
import { selectTitles, type TitleColumns } from '../queries/titles.ts'

/** An item with its display title. */
export type ItemTitle = { id: string; libraryId: string; type: string; title: string }

/**
 * The display titles of items: `Alien (1979)`, `Dark S01E02 Lies`, `Dark, Season 1`. In the order of the ids; items that do not exist are
 * left out.
 */
export async function describeItems({ db }: { db: Connection }, ids: readonly string[]): Promise<readonly ItemTitle[]> {
  const rows = new Map((await selectTitles(db, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row === undefined ? [] : [{ id, libraryId: row.libraryId, type: row.type, title: formatItemTitle(row) }]
  })
}

/** Pure: the display title of an item from its own facts and the facts of its ancestors. */
export function formatItemTitle(item: Omit<TitleColumns, 'id' | 'libraryId'>): string {
  const { type, name, year, seasonNumber, episodeNumber, episodeTitle, parentName, grandparentName } = item
  if (type === 'episode') {
    const place = [numbered('S', seasonNumber), numbered('E', episodeNumber)].join('')
    return [grandparentName ?? parentName ?? name, place, episodeTitle ?? ''].filter((word) => word !== '').join(' ')
  }
  if (type === 'season' && parentName !== null) return `${parentName}, ${name}`
  return year === null ? name : `${name} (${year})`
}

function numbered(letter: string, number: number | null): string {
  return number === null ? '' : `${letter}${String(number).padStart(2, '0')}`
}

import type { Database } from '../platform/database/index.ts'
import type { CatalogueMemory } from './catalogue-memory.ts'
import { placeInNames } from './name-places.ts'
import { selectPageIds, selectPlace, type PageQuery, type PlaceInOrder } from './queries/pages.ts'
import { countLabels } from './shelves.ts'

/** From here on it pays to ask first where in the order a page begins. */
export const DEEP_OFFSET = 250

/** Places are kept this far from each other, and so many of one list. */
const STEP = 250
const MOST_MARKS = 200

/** An item of a list, and how many stand before it. */
type Mark = PlaceInOrder & { offset: number }

/** By the number of their step. */
type Marks = Map<number, Mark>

/**
 * The ids of a page far down a list that is sorted by name or time. To skip a hundred thousand entries costs more than the page, so it is
 * read from a place that is known: where its letter begins, if the list is counted by letters, or where a page before it began, as long
 * as the catalogue has not changed.
 */
export async function selectDeepPage(
  memory: CatalogueMemory,
  query: PageQuery,
  isCountedByLetters: boolean,
): Promise<string[]> {
  const { limit: _limit, offset, shelves: _shelves, ...question } = query
  const marks = await memory.remember(`marks ${JSON.stringify(question)}`, async (): Promise<Marks> => new Map())
  const letter =
    isCountedByLetters && query.sort === 'name'
      ? placeInNames(await countLabels(memory, query, 'letter'), query)
      : { offset }
  const mark = nearestMark(marks, offset)
  const isNearer = mark !== undefined && offset - mark.offset <= letter.offset
  const start = isNearer ? { offset: offset - mark.offset, from: mark } : letter
  const ids = await selectPageIds(memory.db, { ...query, ...start })
  if (start.offset >= STEP) await noteMark(memory.db, marks, { offset, first: ids[0] })
  return ids
}

function nearestMark(marks: Marks, offset: number): Mark | undefined {
  let nearest: Mark | undefined
  for (const mark of marks.values()) {
    if (mark.offset <= offset && mark.offset >= (nearest?.offset ?? 0)) nearest = mark
  }
  return nearest
}

/** Of the pages of one step the first is remembered: it helps all the others. */
async function noteMark(
  db: Database,
  marks: Marks,
  { offset, first }: { offset: number; first: string | undefined },
): Promise<void> {
  const step = Math.floor(offset / STEP)
  const known = marks.get(step)
  if (first === undefined || (known === undefined ? marks.size >= MOST_MARKS : known.offset <= offset)) return
  const place = await selectPlace(db, first)
  if (place !== undefined) marks.set(step, { ...place, offset })
}

import { searchPhrase } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Collection } from './collection.ts'
import { selectCollectionsNamed } from './queries/collections.ts'

const MAX_WORDS = 8

/**
 * The collections whose names contain all words, without regard to case, by name.
 * @param input.text storable words
 * @param input.limit at least 1
 */
export async function searchCollections(
  { db }: { db: Connection },
  { text, limit }: { text: string; limit: number },
): Promise<readonly Collection[]> {
  return selectCollectionsNamed(db, { words: searchPhrase(text).split(' ').slice(0, MAX_WORDS), limit })
}

import type { Database } from '../platform/database/index.ts'
import { selectCatalogueVersion } from './queries/tallies.ts'

const MOST_ENTRIES = 500

type Entry = { version: string; value: Promise<unknown> }

/** One for each database that the process knows: it lives and goes with the pool. */
const memories = new WeakMap<Database, Map<string, Entry>>()

/**
 * What was counted before and still holds, because the catalogue has not changed since (by the rows that every change leaves, whoever
 * made it); otherwise counts anew. Who asks for the same at the same time waits for one answer. The one asked for longest ago is
 * forgotten first.
 * @param question a text that says what is counted
 */
export async function rememberCount<Value>(
  db: Database,
  question: string,
  count: () => Promise<Value>,
): Promise<Value> {
  const memory = memories.get(db) ?? new Map<string, Entry>()
  memories.set(db, memory)
  const version = await selectCatalogueVersion(db)
  const known = memory.get(question)
  memory.delete(question)
  const entry = known?.version === version ? known : { version, value: count() }
  memory.set(question, entry)
  for (const oldest of memory.keys()) {
    if (memory.size <= MOST_ENTRIES) break
    memory.delete(oldest)
  }
  try {
    return (await entry.value) as Value
  } catch (error) {
    if (memory.get(question) === entry) memory.delete(question)
    throw error
  }
}

import { evictOldest, createBatchLoader, type Database } from '../platform/database/index.ts'
import { selectCatalogueVersion } from './queries/counts.ts'

const MAX_ENTRIES = 500

type Entry = { version: string; value: Promise<unknown> }

type Memory = { entries: Map<string, Entry>; readVersion: (key: 'version') => Promise<string | undefined> }

/** One for each database that the process knows: it lives and goes with the pool. */
const memories = new WeakMap<Database, Memory>()

/**
 * Answers a question about the catalogue, a text that says what is counted or found: from memory what still holds, because the catalogue
 * has not changed since; otherwise anew.
 */
export type GetOrCompute = <Value>(question: string, answer: () => Promise<Value>) => Promise<Value>

/** What is known of the catalogue as it is now, and where to ask what is not. */
export type CatalogueCache = { db: Database; version: string; getOrCompute: GetOrCompute }

/**
 * Looks whether the catalogue has changed, by the rows that every change leaves, whoever made it; requests that come at the same time do
 * so together. Who asks for the same at the same time waits for one answer. The question asked longest ago is forgotten first. Answers
 * are counts and at most 200 ids: all of them together take some 10 MB.
 */
export async function openCatalogueCache(db: Database): Promise<CatalogueCache> {
  const { entries } = memoryOf(db)
  const version = await readCatalogueVersion({ db })
  const getOrCompute = async <Value>(question: string, answer: () => Promise<Value>): Promise<Value> => {
    const known = entries.get(question)
    entries.delete(question)
    const entry = known?.version === version ? known : { version, value: answer() }
    entries.set(question, entry)
    evictOldest(entries, MAX_ENTRIES)
    try {
      return (await entry.value) as Value
    } catch (error) {
      if (entries.get(question) === entry) entries.delete(question)
      throw error
    }
  }
  return { db, version, getOrCompute }
}

/**
 * Another text whenever something has changed that lists show: items, their order, and where their pictures come from. What was read
 * after it still holds as long as it is the same.
 */
export async function readCatalogueVersion({ db }: { db: Database }): Promise<string> {
  return (await memoryOf(db).readVersion('version')) ?? ''
}

function memoryOf(db: Database): Memory {
  const known = memories.get(db)
  if (known !== undefined) return known
  const readVersion = createBatchLoader(async () => new Map([['version' as const, await selectCatalogueVersion(db)]]))
  const memory: Memory = { entries: new Map(), readVersion }
  memories.set(db, memory)
  return memory
}

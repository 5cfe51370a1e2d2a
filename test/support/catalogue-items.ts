import { randomUUID } from 'node:crypto'
import { createAccount } from '../../src/core/accounts/index.ts'
import { writeItems, type ItemWrite } from '../../src/core/catalogue/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'
import { systemClock } from '../../src/core/platform/time/index.ts'
import { itemRow } from './item-row.ts'
import { makeLibrary } from './records.ts'
import { cheapPasswordHashing } from './cheap-password.ts'

/** Inserts items as a scan would, in a separate library; returns their ids in the same order. By default films of 100 s. */
export async function makeItems(db: Database, folder: string, items: readonly Partial<ItemWrite>[]): Promise<string[]> {
  const library = await makeLibrary(db, folder, `Library ${randomUUID()}`)
  const writes = items.map((item, index) =>
    itemRow({
      libraryId: library.id,
      name: `Film ${index}`,
      sortTitle: `Film ${index}`,
      year: 1999,
      path: `${folder}/${index}.mkv`,
      canonicalKey: `${index}`,
      chapters: [],
      ...item,
    }),
  )
  const written = await writeItems(db, writes, new Date('2026-01-01T00:00:00Z'))
  const idOf = new Map(written.map(({ path, id }) => [path, id]))
  return writes.map(({ path }) => idOf.get(path) ?? '')
}

/** Creates an account; returns its id. */
export async function makeUser(db: Database, username: string): Promise<string> {
  const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false }
  return (await createAccount({ db, clock: systemClock, passwordHashing: cheapPasswordHashing() }, input)).id
}

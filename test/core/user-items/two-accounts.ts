import type { Test } from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { createCatalogueCache, writeItems, type ItemWrite } from '../../../src/core/catalogue/index.ts'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { testDatabase } from '../../support/database.ts'
import { makeLibrary, movableClock } from '../../support/records.ts'
import { itemRow } from '../../support/item-row.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'

/** A valid id without an item. */
export const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

/** Two accounts and some films, without files. */
export async function twoAccounts(t: Test, films: number) {
  const { pool: db, connectionUri } = await testDatabase(t)
  const clock = movableClock()
  const services = { db, clock, catalogueCache: createCatalogueCache({ db }) }
  const create = async (username: string): Promise<string> => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false }
    return (await createAccount({ db, clock, passwordHashing: cheapPasswordHashing() }, input)).id
  }
  const [ada, bob] = [await create('ada'), await create('bob')]
  return { db, connectionUri, clock, services, ada, bob, items: await makeFilms(t, db, films) }
}

/** Ids of new films in a library of their own, in the order of their names. */
export async function makeFilms(t: Test, db: Database, count: number): Promise<string[]> {
  const { id: libraryId } = await makeLibrary(db, t.testdir())
  const writes = Array.from({ length: count }, (_, index) => film(libraryId, String(index).padStart(5, '0')))
  const written = await writeItems(db, writes, new Date('2026-03-01T12:00:00Z'))
  return written.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ id }) => id)
}

function film(libraryId: string, name: string): ItemWrite {
  const canonicalKey = `${name}|1000|movie`
  return itemRow({ libraryId, name, path: `/films/${name}.mkv`, metadata: { title: name }, canonicalKey })
}

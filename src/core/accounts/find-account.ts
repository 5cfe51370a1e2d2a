import { z } from 'zod'
import type { Database } from '../platform/database/index.ts'
import type { Account } from './account.ts'
import { findAccountById } from './queries.ts'

const Id = z.guid()

/** The account with this id, disabled ones too; undefined when there is none, without a query when the id is no UUID. */
export async function findAccount({ db }: { db: Database }, id: string): Promise<Account | undefined> {
  return Id.safeParse(id).success ? findAccountById(db, id) : undefined
}

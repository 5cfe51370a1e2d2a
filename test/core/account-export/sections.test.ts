import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { TABLES_NOT_EXPORTED, EXPORT_SECTIONS } from '../../../src/core/account-export/queries/sections.ts'
import { testServices } from '../../support/services.ts'

const TableRow = z.strictObject({ name: z.string() })

void t.test('every table that refers to accounts is exported, or listed with the reason why not', async (t) => {
  const { db } = await testServices(t)
  const referring = await db.anyFirst(sql.type(TableRow)`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'users'::regclass`)
  const text = Object.values(EXPORT_SECTIONS)
    .map(({ from, row }) => `${from.sql} ${row.sql}`)
    .join('\n')
  const read = new Set([...text.matchAll(/\b(?:from|join) (\w+)/g)].map(([, name = '']) => name))
  t.strictSame(
    referring.filter((name) => !read.has(name) && TABLES_NOT_EXPORTED[name] === undefined),
    [],
  )
  t.strictSame(
    Object.keys(TABLES_NOT_EXPORTED).filter((name) => !referring.includes(name)),
    [],
    'nothing is listed that does not exist',
  )
})

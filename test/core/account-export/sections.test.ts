import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { NOT_EXPORTED, SECTIONS } from '../../../src/core/account-export/queries/sections.ts'
import { testServices } from '../../support/services.ts'

const TableRow = z.strictObject({ name: z.string() })

void t.test('every table that refers to accounts is exported, or listed with the reason why not', async (t) => {
  const { db } = await testServices(t)
  const referring = await db.anyFirst(sql.type(TableRow)`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'users'::regclass`)
  const text = Object.values(SECTIONS)
    .map(({ from, row }) => `${from.sql} ${row.sql}`)
    .join('\n')
  const read = new Set([...text.matchAll(/\b(?:from|join) (\w+)/g)].map(([, name = '']) => name))
  t.strictSame(
    referring.filter((name) => !read.has(name) && NOT_EXPORTED[name] === undefined),
    [],
  )
  t.strictSame(
    Object.keys(NOT_EXPORTED).filter((name) => !referring.includes(name)),
    [],
    'nothing is listed that does not exist',
  )
})

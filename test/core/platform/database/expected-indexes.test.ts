import { sql } from 'slonik'
import { z } from 'zod'
import t from 'tap'
import { listExpectedIndexes } from '../../../../src/core/platform/database/expected-indexes.ts'
import { readMigrationFiles } from '../../../../src/core/platform/database/migration-files.ts'
import { testDatabase } from '../../../support/database.ts'

const NameRow = z.strictObject({ name: z.string() })

void t.test('the migrations create exactly the indexes that a migrated database has', async (t) => {
  const { pool } = await testDatabase(t)
  const present = await pool.anyFirst(sql.type(NameRow)`
    select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`)
  const expected = listExpectedIndexes(readMigrationFiles())
  t.strictSame(expected.map(({ name }) => name).toSorted(), present.toSorted())
})

void t.test('dropped indexes and those of dropped tables are not expected', (t) => {
  const text = `create index a on one (x); -- create index c on one (x);
    create unique index b
      on two (y); create index d on one (z);
    drop index a, d; drop table if exists two;
    create index d on one (z, x);`
  t.strictSame(listExpectedIndexes([{ text }]), [
    { name: 'd', table: 'one', statement: 'create index d on one (z, x)' },
  ])
  t.end()
})

void t.test('renamed indexes and columns have their new names in the statement', (t) => {
  const text = `create index a_of_x on one (x, y); create index b on two (x);
    alter table one rename column x to z; alter index a_of_x rename to a_of_z;`
  t.strictSame(listExpectedIndexes([{ text }]), [
    { name: 'b', table: 'two', statement: 'create index b on two (x)' },
    { name: 'a_of_z', table: 'one', statement: 'create index a_of_z on one (z, y)' },
  ])
  t.end()
})

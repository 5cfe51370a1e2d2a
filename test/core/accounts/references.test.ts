import { sql } from 'slonik'
import t from 'tap'
import { testServices } from '../../support/services.ts'

void t.test('a deletion of an account, a profile or a policy reads no whole table', async (t) => {
  const { db } = await testServices(t)
  const missing = await db.anyFirst(sql.unsafe`
    select c.conrelid::regclass::text || '.' || a.attname
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = any (array['users', 'profiles', 'access_policies']::regclass[])
      and not exists (
        select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = any (c.conkey))
    order by 1`)
  t.strictSame(missing, [])
})

import { sql } from 'slonik'
import t from 'tap'
import { listExtras } from '../../../src/core/extras/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { limitedServices } from '../../support/limited-services.ts'
import { testServices } from '../../support/services.ts'

void t.test('an account lists the extras that it sees, whoever has listed them before', async (t) => {
  const services = await testServices(t)
  const { db } = services
  const [film = '', extra = ''] = await makeItems(db, t.testdir(), [{ name: 'Film' }, { name: 'Interview' }])
  const rate = (id: string, rating: string) =>
    db.query(sql.unsafe`
      update media_items set metadata = metadata || ${sql.jsonb({ rating, trailer_url: 'https://vimeo.com/1' })} where id = ${id}`)
  await rate(film, 'G')
  await db.query(sql.unsafe`
    update media_items set primary_id = ${film}, role = 'extra', metadata = metadata || '{"extra_type": "interview"}' where id = ${extra}`)
  const child = await limitedServices(services, { maxAge: 12 })
  const titles = async (needs: Parameters<typeof listExtras>[0]) =>
    (await listExtras(needs, film)).map(({ type }) => type)
  t.strictSame(await titles(services), ['trailer', 'interview'])
  t.strictSame(await titles(child), ['trailer', 'interview'])
  await rate(extra, 'NC-17')
  t.strictSame(await titles(services), ['trailer', 'interview'])
  t.strictSame(await titles(child), ['trailer'], 'not what somebody else has listed')
  await db.query(sql.unsafe`delete from item_extras`)
  t.strictSame(await titles(child), ['trailer'])
  t.strictSame(await titles(services), ['trailer', 'interview'], 'nor less than somebody sees')
})

import { sql } from 'slonik'
import t from 'tap'
import { selectRequest, updateToAvailable } from '../../../src/core/requests/queries.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { limitedServices } from '../../support/limited-services.ts'
import { testServices } from '../../support/services.ts'

void t.test('the time of a request does not tell a limited account that the title has arrived', async (t) => {
  const services = await testServices(t)
  const { db } = services
  const userId = await makeUser(db, 'kim')
  const child = await limitedServices(services, { maxAge: 12 })
  const id = String(
    await db.oneFirst(sql.unsafe`
      insert into media_requests (user_id, type, catalog_id, title, status, created_at, updated_at)
      values (${userId}, 'movie', 1, 'Film', 'approved', '2026-01-01', '2026-01-02') returning id`),
  )
  const before = await selectRequest(child.db, id)
  const arrival = new Date('2026-02-03T00:00:00Z')
  await updateToAvailable(db, { ids: [id], now: arrival })
  t.strictSame(await selectRequest(child.db, id), before)
  t.match(await selectRequest(db, id), { status: 'available', updatedAt: arrival }, 'others see it')
})

import { sql } from 'slonik'
import t from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { listRequests, readRequestsInBatches, submitRequest } from '../../../src/core/requests/index.ts'
import { testServices } from '../../support/services.ts'

const services = await testServices(t)
const account = { username: 'ada', email: 'ada@example.org', password: 'correct horse', isAdmin: false }
const { id: userId } = await createAccount(services, account)
const LONG = { type: 'movie', title: 't'.repeat(500), posterUrl: `https://x.example/${'p'.repeat(2000)}` }
for (let catalogId = 1; catalogId <= 40; catalogId += 1)
  await submitRequest(services, { userId, fields: { ...LONG, catalogId } })

void t.test('long requests are read a few at a time, so that a list is never in memory as a whole', async (t) => {
  const sizes: number[] = []
  const ids: string[] = []
  for await (const batch of readRequestsInBatches(services, { userId, status: 'all' }, {})) {
    sizes.push(batch.length)
    ids.push(...batch.map(({ id }) => id))
  }
  t.strictSame(sizes, [13, 13, 13, 1], 'as many as fit 32 KiB')
  const all = await listRequests(services, { status: 'all' })
  t.strictSame(
    ids,
    all.map(({ id }) => id),
    'in the order of the whole list',
  )
})

void t.test('a request that is deleted between two batches is left out', async (t) => {
  const ids: string[] = []
  for await (const batch of readRequestsInBatches(services, { userId, status: 'all' }, { limit: 30, offset: 5 })) {
    ids.push(...batch.map(({ id }) => id))
    if (ids.length > 13) continue
    const all = await listRequests(services, { status: 'all' })
    await services.db.query(sql.unsafe`delete from media_requests where id = ${all[5 + 20]?.id ?? ''}`)
  }
  t.equal(ids.length, 29)
})

void t.test('another status is refused before anything is read', async (t) => {
  const requests = readRequestsInBatches(services, { userId, status: 'odd' }, {})
  await t.rejects(requests.next(), { code: 'invalid_request' })
})

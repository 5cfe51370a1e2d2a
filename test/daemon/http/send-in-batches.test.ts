import t from 'tap'
import { Type } from 'typebox'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { readInBatches, sendInBatches, createSerializer } from '../../../src/daemon/http/send-in-batches.ts'
import { startApp } from '../../support/app.ts'

const serialize = createSerializer(Type.Object({ id: Type.String() }))

/** Lists of ids, some of which do not exist, as `?ids=a,b`. */
const routes: RoutePlugin = (app) => {
  app.route({
    method: 'GET',
    url: '/list',
    config: { access: 'public', reveals: 'none' },
    schema: { querystring: Type.Object({ count: Type.Integer(), failAt: Type.Optional(Type.Integer()) }) },
    handler: async ({ query: { count, failAt } }, reply) => {
      const ids = Array.from({ length: count }, (_, index) => `${index}`)
      const read = async (part: readonly string[]) => {
        if (failAt !== undefined && part.includes(`${failAt}`)) throw new Error('cannot be read')
        return part.filter((id) => id !== '3')
      }
      return sendInBatches(reply, {
        key: 'rows',
        batches: readInBatches(ids, read),
        serialize: (part) => part.map((id) => serialize({ id, more: 'is not of the schema' })),
        others: JSON.stringify({ count }),
        countKey: 'sent',
      })
    },
  })
}

void t.test('a list that is sent in batches is one JSON object', async (t) => {
  const { ask } = await startApp(t, { routes: [['', routes]] })
  for (const count of [0, 1, 49, 50, 51, 1000]) {
    const rows = Array.from({ length: count }, (_, index) => ({ id: `${index}` })).filter(({ id }) => id !== '3')
    const answer = await ask('GET', `/list?count=${count}`)
    t.strictSame(answer.json, { count, rows, sent: rows.length }, `${count}`)
    t.equal(answer.headers.get('cache-control'), 'no-store')
  }
})

void t.test('an error in the first batch is an error response, a later one aborts the connection', async (t) => {
  const { ask } = await startApp(t, { routes: [['', routes]] })
  t.match(await ask('GET', '/list?count=1000&failAt=7'), { status: 500, json: { code: 'internal' } })
  // A compressor holds the first batches back, so the error may still become a response.
  await t.rejects(ask('GET', '/list?count=1000&failAt=700', { headers: { 'accept-encoding': 'identity' } }))
  t.match(await ask('GET', '/list?count=2'), { status: 200 })
})

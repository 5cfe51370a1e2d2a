import t from 'tap'
import type { Ask } from '../support/app.ts'
import { clientRows } from '../support/contract/client-rows.ts'
import { documentedRows } from '../support/contract/documented-rows.ts'
import { startFilledServer } from '../support/contract/filled-server.ts'
import { mismatches, reach } from '../support/contract/shapes.ts'

const filled = await startFilledServer(t)

type Row = { ask: string; as?: 'admin' | 'anonymous'; body?: unknown; headers?: Record<string, string> }

function send({ ask, as, body, headers = {} }: Row) {
  const [method = '', path = ''] = ask.split(' ')
  const token = as === 'admin' ? filled.adminToken : filled.token
  const more: Ask = { headers, ...(as === 'anonymous' ? {} : { token }), ...(body === undefined ? {} : { body }) }
  return filled.ask(method, `/api/v1${path}`, more)
}

void t.test('every documented endpoint has the documented keys, for its success and each failure', async (t) => {
  for (const row of documentedRows(filled)) {
    const { status, json, headers } = await send(row)
    const claim = `${row.as ?? 'user'}: ${row.ask} ${JSON.stringify(row.body) ?? ''}`
    t.equal(status, row.status, claim)
    if (typeof row.answer === 'object' && 'type' in row.answer && row.answer.type instanceof RegExp) {
      t.match(headers.get('content-type'), row.answer.type, claim)
    } else {
      t.strictSame(mismatches(row.answer as never, json), [], claim)
    }
  }
})

void t.test(
  'the requests of existing clients are accepted, and the replies have the keys that they read',
  async (t) => {
    for (const row of clientRows(filled)) {
      const { status, json, text } = await send(row)
      const claim = `${row.clients}: ${row.ask}`
      const isExpected = row.status === undefined ? status >= 200 && status < 300 : status === row.status
      t.ok(isExpected, `${claim} is answered ${status} ${isExpected ? '' : text}`)
      for (const key of row.reads) t.not(reach(json, key), undefined, `${claim} has ${key}`)
      if (status >= 400) t.type(reach(json, 'error'), 'string', 'clients print an error only when it is a text')
    }
  },
)

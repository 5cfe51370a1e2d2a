import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startApp } from '../support/app.ts'
import { CONSOLE_CALLS } from '../support/client-calls/console-calls.ts'
import { WEB_CALLS } from '../support/client-calls/web-calls.ts'

const root = join(import.meta.dirname, '..', '..')

/** Removes the names of path parameters, which differ between clients and routes. */
const nameless = (call: string): string => call.replaceAll(/\{[^}]*\}|:\w+/g, '{}')

type Row = { call: string; clients: string[]; reason: string }

/** The rows of the table in docs/clients.md. */
function listedRows(): Row[] {
  const text = readFileSync(join(root, 'docs/clients.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z]+ \/[^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)]
  return rows.map(([, call = '', clients = '', reason = '']) => ({ call, clients: clients.split(', '), reason }))
}

void t.test(
  'docs/clients.md lists each call of the existing clients that is answered with 404, and only those',
  async (t) => {
    const { app, ask, registerAdmin } = await startApp(t)
    const registered = new Set(app.declaredRoutes.map(({ method, url }) => nameless(`${method} ${url}`)))
    const listed = listedRows()
    t.ok(listed.length > 0, 'the table is read')
    const calls = new Set(listed.map(({ call }) => nameless(call)))
    t.equal(calls.size, listed.length, 'each once')

    t.strictSame(
      listed.filter(({ call }) => registered.has(nameless(call))).map(({ call }) => call),
      [],
      'a call that has a route is not in the table',
    )
    const clientCalls = { web: WEB_CALLS, console: CONSOLE_CALLS }
    for (const [client, known] of Object.entries(clientCalls)) {
      const missing = known.filter((call) => !registered.has(nameless(call)))
      t.strictSame(
        missing.filter((call) => !calls.has(nameless(call))),
        [],
        `each call of the ${client} client is answered or listed`,
      )
      const told = listed.filter(({ clients }) => clients.includes(client)).map(({ call }) => nameless(call))
      t.strictSame(told.toSorted(), missing.map(nameless).toSorted(), `the table says what the ${client} client calls`)
    }

    const { token } = await registerAdmin()
    for (const { call } of listed) {
      const [method = '', path = ''] = call.replaceAll(/\{[^}]*\}/g, '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11').split(' ')
      const { status } = await ask(method, path, { token, ...(method === 'GET' ? {} : { body: {} }) })
      t.equal(status, 404, call)
    }
  },
)

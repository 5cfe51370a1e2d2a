import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { RATE_LIMIT_SURFACES } from '../../src/core/platform/config/index.ts'
import { startApp } from '../support/app.ts'

const root = join(import.meta.dirname, '..', '..')

/** The column "who" of each access level. */
const WHO = { public: 'anyone', user: 'user', admin: 'admin', signed: 'signed or user', guest: 'guest' } as const

/** Excludes web pages and probes, which docs/operations.md describes, and `HEAD`, which every `GET` implies. */
const isForPrograms = ({ method, url }: { method: string; url: string }): boolean =>
  method !== 'HEAD' && /^\/(?:api|media|hls|dash|trickplay|stream|s|\.well-known)\//.test(url)

/** `METHOD path who` of every table row below a header that begins with "route | who". */
function documentedRoutes(): string[] {
  const found: string[] = []
  for (const page of globSync('docs/api/*.md', { cwd: root })) {
    const text = readFileSync(join(root, page), 'utf8')
    for (const [, rows = ''] of text.matchAll(/^\| route \| who \|.*\n\|[-| ]+\n((?:\|.*\n)+)/gm)) {
      for (const row of rows.trim().split('\n')) found.push(...routesOfRow(row))
    }
  }
  return found
}

/** `GET /a`, and for two routes in one row also "`POST`, `DELETE /a`" and "`POST /a/b`, `…/c`". */
function routesOfRow(row: string): string[] {
  const [, cell = '', who = ''] = row.split('|').map((text) => text.trim())
  const methods: string[] = []
  const found: string[] = []
  let [lastMethod, lastPath] = ['', '']
  for (const [, span = ''] of cell.matchAll(/`([^`]+)`/g)) {
    const [method = '', path] = span.startsWith('…') ? [lastMethod, span] : span.split(' ')
    methods.push(method)
    if (path === undefined) continue
    lastPath = path.replace(/^…/, lastPath.replace(/\/[^/]*$/, '')).replace(/\?.*$/, '')
    lastMethod = method
    found.push(
      ...methods
        .splice(0)
        .filter((word) => word !== 'HEAD')
        .map((word) => `${word} ${lastPath} ${who}`),
    )
  }
  return found
}

void t.test('docs/api lists exactly the routes, with their access levels', async (t) => {
  const { app } = await startApp(t)
  const declared = app.declaredRoutes
    .filter(isForPrograms)
    .map(({ method, url, access }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')} ${WHO[access]}`)
  t.ok(declared.length > 30, 'routes were found')
  t.strictSame(documentedRoutes().toSorted(), declared.toSorted())
})

void t.test('docs/api/accounts.md lists the actual rate limits', (t) => {
  const text = readFileSync(join(root, 'docs/api/accounts.md'), 'utf8')
  for (const [surface, { max, windowSeconds, scope }] of Object.entries(RATE_LIMIT_SURFACES)) {
    t.match(
      text,
      `| \`${surface}\` | ${max} in ${windowSeconds} s | ${scope === 'shared' ? 'the database' : 'each process'} |`,
    )
  }
  t.end()
})

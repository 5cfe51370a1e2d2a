import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findViolations, readSources, TIERS } from '../scripts/check-layers.ts'
import { TABLE_OWNERS, TRIGGER_TABLES } from '../scripts/table-owners.ts'

const root = join(import.meta.dirname, '..')
const sources = readSources()

void t.test('the sources of the product keep the layer rules', (t) => {
  t.ok(sources.size > 60, `files were found (${sources.size})`)
  t.strictSame(findViolations(sources), [])
  t.end()
})

const BAD: [claim: string, path: string, text: string][] = [
  ['core may not import the daemon', 'src/core/naming/x.ts', "import { a } from '../../daemon/app.ts'"],
  ['core may not import commands', 'src/core/naming/x.ts', "import { a } from '../../commands/serve.ts'"],
  ['the daemon may not import commands', 'src/daemon/app.ts', "import a from '../commands/serve.ts'"],
  ['commands import no daemon file but serve', 'src/commands/x.ts', "import { a } from '../daemon/app.ts'"],
  ['a type-only import counts', 'src/core/naming/x.ts', "import type { A } from '../../daemon/app.ts'"],
  ['a dynamic import counts', 'src/core/naming/x.ts', "await import('../../daemon/app.ts')"],
  ['a lower folder may not import a higher one', 'src/core/libraries/x.ts', "import { a } from '../scanning/index.ts'"],
  [
    'folders of one tier may not import each other',
    'src/core/platform/time/x.ts',
    "import { a } from '../errors/index.ts'",
  ],
  [
    'another folder is entered through its door',
    'src/core/scanning/x.ts',
    "import { a } from '../naming/movie-name.ts'",
  ],
  ['the daemon enters core through doors', 'src/daemon/x.ts', "import { a } from '../core/naming/movie-name.ts'"],
  ['a hub imports no domain of a media server', 'src/core/hub/x.ts', "import { a } from '../accounts/index.ts'"],
  ['nor does its HTTP side', 'src/daemon/hub/x.ts', "import type { A } from '../../core/libraries/index.ts'"],
  ['nor the composition root', 'src/daemon/hub/x.ts', "import type { A } from '../../core/services.ts'"],
  [
    'a hub imports no routes of a media server',
    'src/daemon/hub/x.ts',
    "import { a } from '../routes/media/media.routes.ts'",
  ],
  ['nor its application', 'src/daemon/hub/x.ts', "import { a } from '../app.ts'"],
  ['a media server does not import a hub', 'src/core/hub-link/x.ts', "import { a } from '../hub/index.ts'"],
  ['nor do its routes', 'src/daemon/routes/x.ts', "import { a } from '../../core/hub/index.ts'"],
  ['nor its daemon', 'src/daemon/serve.ts', "import { a } from './hub/hub-app.ts'"],
  ['only one command starts a hub', 'src/commands/hub/pair.ts', "import { a } from '../../daemon/hub/serve-hub.ts'"],
  ['a domain does not know the composition root', 'src/core/naming/x.ts', "import { a } from '../services.ts'"],
  ['a folder without a tier is refused', 'src/core/novel/x.ts', "import { a } from '../naming/index.ts'"],
  ['processes start in one place', 'src/core/naming/x.ts', "import { spawn } from 'node:child_process'"],
  ['threads start in one place', 'src/daemon/x.ts', "export const a = () => new Worker('./b.ts')"],
  ['the environment is read in one place', 'src/daemon/x.ts', 'const a = process.env.HOME'],
  ['the clock is read in one place', 'src/daemon/x.ts', 'const a = Date.now()'],
  ['SQL is written in queries.ts', 'src/core/libraries/x.ts', "import { sql } from 'slonik'"],
  ['schemas of rows are made once', 'src/core/libraries/queries.ts', 'await db.one(sql.type(z.object({}))`select 1`)'],
  ['HTTP is sent out in one place', 'src/core/libraries/x.ts', 'await fetch(url)'],
  ['a table is written by its owner', 'src/core/libraries/queries.ts', 'sql`update users set name = 1`'],
  ['also by a longer statement', 'src/core/music/queries.ts', 'sql`with a as (delete\n from media_streams) select 1`'],
  ['a table of triggers is not written', 'src/core/catalogue/queries/x.ts', 'sql`insert into item_words values (1)`'],
  ['a module has no variable', 'src/core/naming/x.ts', 'export let count = 0'],
  ['a module has no cache', 'src/daemon/x.ts', 'const a = new Map()\nexport const f = (b) => a.set(b, 1)'],
  ['also behind a key', 'src/daemon/x.ts', 'const a = { b: [] }\nexport const f = (c) => a.b.push(c)'],
  ['weak maps hold state', 'src/daemon/x.ts', 'const a = new WeakMap()'],
  ['other objects hold state', 'src/daemon/x.ts', 'export const a = new Semaphore({ permits: 1 })'],
  ['factories make state', 'src/daemon/x.ts', "import { createQueue } from './y.ts'\nexport const a = createQueue()"],
  [
    'also under another name',
    'src/daemon/x.ts',
    'const a = once(1)\nfunction once(b) { let c; return () => (c ??= b) }\nexport { a }',
  ],
  ['objects of a module are not changed', 'src/daemon/x.ts', 'export const a = {}\nexport const f = () => { a.b = 1 }'],
  ['nor those of another module', 'src/daemon/x.ts', "import { a } from './y.ts'\na.b = 1"],
  ['nor shared memory', 'src/daemon/x.ts', 'const a = new Int32Array(1)\nexport const f = () => Atomics.add(a, 0, 1)'],
  ['records become JSON in the views', 'src/commands/x.ts', 'return { created_at: toIsoTimestamp(item.createdAt) }'],
  ['a view imports no code of a domain', 'src/core/views/x.ts', "import { getItem } from '../catalogue/index.ts'"],
  ['a web page imports nothing of the server', 'src/daemon/web/x.tsx', "import { a } from '../http/a.ts'"],
  ['the server imports no code of a web page', 'src/daemon/http/x.ts', "import { a } from '../web/a.ts'"],
  ['names that say nothing are refused', 'src/core/naming/utils.ts', ''],
  ['long files are refused', 'src/core/naming/x.ts', '\n'.repeat(401)],
]

void t.test('each rule bites', (t) => {
  for (const [claim, path, text] of BAD) t.equal(findViolations(new Map([[path, text]])).length, 1, claim)
  t.end()
})

const CYCLES: [claim: string, files: Record<string, string>, report: string][] = [
  [
    'two files may not import each other',
    { 'src/core/naming/a.ts': "import { b } from './b.ts'", 'src/core/naming/b.ts': "import { a } from './a.ts'" },
    'src/core/naming/a.ts -> src/core/naming/b.ts -> src/core/naming/a.ts: files import each other',
  ],
  [
    'not for a type or dynamically, and not by way of other files',
    {
      'src/daemon/a.ts': "import type { B } from './b.ts'",
      'src/daemon/b.ts': "export type { C } from './c.ts'",
      'src/daemon/c.ts': "const { a } = await import('./a.ts')",
      'src/daemon/d.ts': "import { a } from './a.ts'",
    },
    'src/daemon/a.ts -> src/daemon/b.ts -> src/daemon/c.ts -> src/daemon/a.ts: files import each other',
  ],
  [
    'the stage folders of a domain may not import each other by different files',
    {
      'src/core/scanning/job/a.ts': "import { b } from '../queries/b.ts'",
      'src/core/scanning/queries/c.ts': "import { d } from '../job/d.ts'",
      'src/core/scanning/queries/b.ts': '',
      'src/core/scanning/job/d.ts': '',
    },
    'src/core/scanning/job -> src/core/scanning/queries -> src/core/scanning/job: folders import each other',
  ],
  [
    'nor the stage folders of the support of commands',
    {
      'src/commands/_support/output/a.ts': "import { b } from '../progress/deep/b.ts'",
      'src/commands/_support/progress/deep/b.ts': '',
      'src/commands/_support/progress/c.ts': "import type { A } from '../output/a.ts'",
    },
    'src/commands/_support/output -> src/commands/_support/progress -> src/commands/_support/output: folders import each other',
  ],
]

void t.test('a cycle is reported once, with a path around it', (t) => {
  for (const [claim, files, report] of CYCLES)
    t.strictSame(findViolations(new Map(Object.entries(files))), [report], claim)
  t.end()
})

void t.test('every table of the migrations has an owner, and every owned table exists', (t) => {
  const text = globSync('migrations/**/*.sql', { cwd: root })
    .toSorted()
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const tables = new Set<string>()
  for (const { groups } of text.matchAll(/^(?<verb>create|drop) table (?:if (?:not )?exists )?(?<name>\w+)/gim)) {
    if (groups?.['verb']?.toLowerCase() === 'drop') tables.delete(groups['name'] ?? '')
    else tables.add(groups?.['name'] ?? '')
  }
  t.strictSame([...tables].toSorted(), [...Object.keys(TABLE_OWNERS), ...Object.keys(TRIGGER_TABLES)].toSorted())
  t.end()
})

void t.test('what the rules allow is not reported', (t) => {
  const good: [string, string][] = [
    ['src/commands/serve.ts', "await import('../daemon/serve.ts')"],
    ['src/commands/hub/serve.ts', "await import('../../daemon/hub/serve-hub.ts')"],
    ['src/commands/hub/x.ts', "import type { A } from '../../core/hub/index.ts'"],
    [
      'src/core/hub/x.ts',
      "import { a } from '../hub-protocol/index.ts'\nimport { b } from '../platform/keys/index.ts'",
    ],
    ['src/daemon/hub/x.ts', "import { a } from '../../core/hub/index.ts'\nimport { b } from '../hooks/errors.ts'"],
    ['src/core/scanning/x.ts', "import { a } from '../naming/index.ts'"],
    ['src/core/workers.ts', "import { a } from './scanning/index.ts'"],
    ['src/daemon/app.ts', "import type { Services } from '../core/services.ts'"],
    ['src/core/libraries/queries.ts', "import { sql } from 'slonik'"],
    ['src/core/catalogue/index.ts', "export { a } from './items/a.ts'"],
    ['src/core/catalogue/items/a.ts', "import { b } from '../item/b.ts'\nimport { c } from './c.ts'"],
    ['src/core/catalogue/items/c.ts', "import { e } from '../errors.ts'"],
    ['src/core/catalogue/item/b.ts', "import { e } from '../errors.ts'"],
    ['src/core/catalogue/errors.ts', ''],
    ['src/core/naming/x.ts', "const a = new Set(['b'])\nexport const f = (c) => a.has(c)"],
    ['src/core/naming/y.ts', 'export function f() { const a = new Map(); a.set(1, 2); return a }'],
    ['src/core/naming/z.ts', 'export const createA = () => { let a = 0; return () => (a += 1) }'],
    ['src/daemon/web/x.ts', 'let isOpen = false'],
    ['src/daemon/web/app/x.tsx', "import { requestJson } from '../api.js'\nconst now = Date.now()"],
    [
      'src/core/views/x.ts',
      "import type { A } from '../catalogue/index.ts'\nimport { b } from '../platform/time/index.ts'",
    ],
  ]
  t.strictSame(findViolations(new Map(good)), [])
  t.end()
})

void t.test('src/core/README.md has one line for every folder, and every folder has a tier', (t) => {
  const folders = new Set<string>()
  for (const path of sources.keys()) {
    const match = /^src\/core\/((?:platform\/)?[a-z-]+)\//.exec(path)
    if (match?.[1] !== undefined) folders.add(match[1])
  }
  const readme = readFileSync(join(root, 'src/core/README.md'), 'utf8')
  const named = [...readme.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '')
  t.strictSame([...folders].toSorted(), TIERS.flat().toSorted(), 'the tier table names every folder')
  t.strictSame(named.toSorted(), [...folders].toSorted(), 'the README names every folder')
  t.end()
})

void t.test('the README of a domain with stages has one line for every stage', (t) => {
  for (const domain of ['streaming', 'catalogue', 'naming']) {
    const stage = new RegExp(`^src/core/${domain}/([a-z-]+)/`)
    const stages = new Set([...sources.keys()].flatMap((path) => stage.exec(path)?.[1] ?? []))
    const readme = readFileSync(join(root, 'src/core', domain, 'README.md'), 'utf8')
    const named = [...readme.matchAll(/^\| `([a-z-]+)\/` \|/gm)].map((match) => match[1] ?? '')
    t.strictSame(named.toSorted(), [...stages].toSorted(), domain)
  }
  t.end()
})

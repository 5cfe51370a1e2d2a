import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { buildWebPages, type BuiltPages } from '../../scripts/web-pages/build-web-pages.ts'
import { keepWebPages } from '../../scripts/web-pages/keep-web-pages.ts'
import { readPageSources } from '../../scripts/web-pages/page-sources.ts'
import { asUnprivilegedUser } from '../support/unprivileged-user.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** A checkout with the pages, the build and the packages only. */
async function checkout(t: Test): Promise<string> {
  const root = t.testdir({})
  await cp(join(ROOT, 'src/daemon/web'), join(root, 'src/daemon/web'), { recursive: true })
  await mkdir(join(root, 'scripts'), { recursive: true })
  await cp(join(ROOT, 'scripts/web-pages'), join(root, 'scripts/web-pages'), { recursive: true })
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json'])
    await cp(join(ROOT, name), join(root, name))
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

function kibibytes(folder: string, names: readonly string[]): number {
  const sizes = names.map((name) => gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

void t.test('the scripts stay within their budgets, compressed', async (t) => {
  const target = t.testdir({})
  const { pages } = await buildWebPages({ root: ROOT, target })
  const { scripts = [], laterScripts = [] } = pages['index'] ?? {}
  const ofPlayer = laterScripts.filter((name) => !name.startsWith('hls-'))
  t.ok(kibibytes(target, scripts) <= 120, 'sign-in and home: 120 KiB')
  t.ok(kibibytes(target, ofPlayer) <= 60, 'the player, without hls.js: 60 KiB more')
  t.ok(
    laterScripts.some((name) => name.startsWith('hls-')),
    'hls.js is loaded when it is needed',
  )
  for (const name of ['listen', 'share', 'hub'])
    t.ok(kibibytes(target, pages[name]?.scripts ?? []) <= 40, `${name}: 40 KiB`)
})

void t.test(
  'every page names its style sheet, its script and what the script imports, by the hash of the content',
  async (t) => {
    const target = t.testdir({})
    const { pages } = await buildWebPages({ root: ROOT, target })
    for (const { name, styles } of readPageSources(join(ROOT, 'src/daemon/web'))) {
      const html = readFileSync(join(target, `${name}.html`), 'utf8')
      const { style = '', scripts: [script = '', ...imports] = [] } = pages[name] ?? {}
      t.match(style, /^[a-z]+-[A-Z0-9]{8}\.css$/)
      t.match(script, /^[a-z]+-[A-Z0-9]{8}\.js$/)
      t.strictSame(
        [...html.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map(([, url]) => url),
        [`/assets/${style}`],
      )
      t.strictSame(
        [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, url]) => url),
        [`/assets/${script}`],
      )
      t.strictSame(
        [...html.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, url]) => url),
        imports.map((file) => `/assets/${file}`),
      )
      t.ok(styles.length > 0)
    }
  },
)

void t.test('a second build of the same sources has the same names', async (t) => {
  const names = async (): Promise<BuiltPages> => buildWebPages({ root: ROOT, target: t.testdir({}) })
  t.strictSame(await names(), await names())
})

void t.test(
  'the pages of a checkout are built again only after a change, and keep the files of the build before',
  async (t) => {
    const root = await checkout(t)
    const pagesPath = join(root, 'web-pages/pages.json')
    const read = (): BuiltPages => JSON.parse(readFileSync(pagesPath, 'utf8')) as BuiltPages
    await keepWebPages(root)
    const first = read()
    writeFileSync(pagesPath, 'untouched')
    await keepWebPages(root)
    t.equal(readFileSync(pagesPath, 'utf8'), 'untouched')
    writeFileSync(join(root, 'src/daemon/web/added.tsx'), 'export const Hello = () => <p>Hello</p>\n')
    const page = join(root, 'src/daemon/web/page.js')
    writeFileSync(page, `${readFileSync(page, 'utf8')}\nconsole.log((await import('./added.tsx')).Hello)\n`)
    await keepWebPages(root)
    const second = read()
    t.not(second.pages['index']?.scripts[0], first.pages['index']?.scripts[0])
    const assets = (): string[] => readdirSync(join(root, 'web-pages/assets'))
    const before = first.pages['index']?.scripts[0] ?? ''
    t.ok(assets().includes(before), 'a running server may still send it')
    utimesSync(join(root, 'web-pages/assets', before), 0, 0)
    writeFileSync(join(root, 'src/daemon/web/page.css'), 'p { color: red }')
    await keepWebPages(root)
    t.notOk(assets().includes(before), 'the next day it is removed')
  },
)

void t.test(
  'files stay for a day after they were replaced, however old they are, and are replaced as a whole',
  async (t) => {
    const root = await checkout(t)
    const assets = join(root, 'web-pages/assets')
    await keepWebPages(root)
    const { pages } = JSON.parse(readFileSync(join(root, 'web-pages/pages.json'), 'utf8')) as BuiltPages
    const style = pages['index']?.style ?? ''
    utimesSync(join(assets, style), 0, 0)
    const worker = statSync(join(assets, 'hls.worker.js')).ino
    const opened = openSync(join(assets, 'hls.worker.js'), 'r')
    t.teardown(() => closeSync(opened))
    writeFileSync(join(root, 'src/daemon/web/page.css'), 'p { color: red }')
    await keepWebPages(root)
    t.ok(readdirSync(assets).includes(style), 'the style sheet of a build of last week was replaced just now')
    t.not(statSync(join(assets, 'hls.worker.js')).ino, worker, 'a reply that is being sent has the former file')
    utimesSync(join(assets, style), 0, 0)
    writeFileSync(join(root, 'src/daemon/web/page.css'), 'p { color: blue }')
    await keepWebPages(root)
    t.notOk(readdirSync(assets).includes(style))
  },
)

void t.test('a checkout that cannot be written keeps its pages, and says what to run without any', async (t) => {
  const root = await checkout(t)
  const warnings: string[] = []
  const keep = () => asUnprivilegedUser(() => keepWebPages(root, (text) => warnings.push(text)))
  const lock = (mode: number): void => {
    for (const path of ['.', 'web-pages', 'web-pages/assets']) {
      if (existsSync(join(root, path))) chmodSync(join(root, path), mode)
    }
  }
  t.teardown(() => lock(0o755))
  lock(0o555)
  await t.rejects(keep(), { name: 'UnwritablePages', message: /cannot be written \(EACCES\).*npm run pages/ })
  lock(0o755)
  await keepWebPages(root)
  writeFileSync(join(root, 'src/daemon/web/page.css'), 'p { color: red }')
  lock(0o555)
  await keep()
  t.match(warnings, [/those of an earlier build.*cannot be written \(E(?:ACCES|PERM)\).*npm run pages/])
  lock(0o755)
  rmSync(join(root, 'web-pages/share.html'))
  lock(0o555)
  await t.rejects(keep(), { name: 'UnwritablePages' }, 'with an earlier build that is not complete')
})

void t.test('a page with no script, or with two, is refused', async (t) => {
  const root = await checkout(t)
  const folder = join(root, 'src/daemon/web')
  const path = join(folder, 'hub/index.html')
  const html = readFileSync(path, 'utf8')
  writeFileSync(path, html.replace(/.*<script.*\n/, ''))
  t.throws(() => readPageSources(folder), /hub\/index.html must have exactly one <script>/)
  writeFileSync(path, html.replace(/(.*<script.*\n)/, '$1$1'))
  t.throws(() => readPageSources(folder), /exactly one/)
})

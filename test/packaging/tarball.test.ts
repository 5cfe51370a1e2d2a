import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { reachableDirectory } from '../support/directories.ts'
import { freePort } from '../support/free-port.ts'
import { sampleMedia } from '../support/media.ts'
import { waitForNoProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '..', '..')
const PACKED_FROM = ['bin', 'contrib', 'docs', 'migrations', 'scripts', 'src', 'tsconfig.json']
const PAGES = ['package.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', 'LICENSE']

const top = reachableDirectory(t)
const [checkout, prefix, home, data] = ['checkout', 'prefix', 'home', 'data'].map((name) => join(top, name)) as [
  string,
  string,
  string,
  string,
]

/**
 * Uses the npm that runs these tests, if there is one; the shell's may be older than its Node. Without NODE_OPTIONS, because the modules
 * that tap preloads break the compiler.
 */
function npm(words: readonly string[]): void {
  const ours = process.env['npm_execpath']
  const [file, first] = ours === undefined ? ['npm', []] : [process.execPath, [ours]]
  execFileSync('env', ['-u', 'NODE_OPTIONS', file, ...first, ...words], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** A shell with Node and nothing of the product; `env -i` because tap adds variables to every inherited environment. */
const CLEAN = ['-i', `PATH=${dirname(process.execPath)}:/usr/bin:/bin`, `HOME=${home}`]

// Packed from a copy, because packing builds, and other tests read the files of a build.
for (const path of [...PACKED_FROM, ...PAGES]) cpSync(join(root, path), join(checkout, path), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
mkdirSync(home)
npm(['pack', '--silent'])
const archive = execFileSync('sh', ['-c', 'echo "$PWD"/phlix-*.tgz'], { cwd: checkout, encoding: 'utf8' }).trim()
const INSTALL = [
  'install',
  '--global',
  '--prefix',
  prefix,
  '--prefer-offline',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
]
npm([...INSTALL, '--loglevel=error', archive])
const program = join(prefix, 'bin', 'phlix')

const phlix = (...words: string[]) => spawnSync('env', [...CLEAN, program, ...words], { cwd: home, encoding: 'utf8' })

void t.test('the archive contains the program and the documentation, and no sources', async (t) => {
  const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n')
  const folders = new Set(names.map((name) => name.split('/').slice(1, -1)[0] ?? ''))
  t.strictSame([...folders].toSorted(), ['', 'bin', 'contrib', 'dist', 'docs', 'migrations'])
  t.strictSame(
    names.filter((name) => name.endsWith('.ts')),
    [],
  )
  t.ok(names.includes('package/oclif.manifest.json'))
  const packed = (name: string) =>
    JSON.parse(execFileSync('tar', ['-xzOf', archive, `package/${name}`], { encoding: 'utf8' }))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { packages } = packed('npm-shrinkwrap.json')
  t.strictSame(packages['node_modules/fastify'], lock.packages['node_modules/fastify'], 'versions and hashes are fixed')
  t.notOk('node_modules/typescript' in packages, 'without tools of the development')
  t.match(packed('sbom.cdx.json').metadata.component, { name: 'phlix' })
})

void t.test('the installed program runs, and knows its commands by colon and by space', async (t) => {
  t.match(phlix('version').stdout, /^phlix\/\d+\.\d+\.\d+/)
  t.equal(JSON.parse(phlix('config:show', '--json').stdout).schema, 'config.show/1')
  t.equal(JSON.parse(phlix('config', 'show', '--json').stdout).schema, 'config.show/1')
})

void t.test('it makes its database, serves from it, and stops on SIGTERM', async (t) => {
  t.teardown(() => waitForNoProcess(data))
  const migrated = phlix('migrate', '--data-dir', data, '--json')
  t.equal(migrated.status, 0, migrated.stderr)
  t.strictSame(JSON.parse(migrated.stdout).pending, [])

  const port = await freePort()
  const words = ['serve', '--data-dir', data, '--host', '127.0.0.1', '--port', String(port), '--websocket-port', '0']
  const server = spawn('env', [...CLEAN, program, ...words], { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = Promise.all([once(server, 'close'), text(server.stderr)])
  t.equal(await untilReady(`http://127.0.0.1:${port}/readyz`, () => server.exitCode === null), 200)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  t.equal(page.status, 200, 'files that are not TypeScript are in the build')
  t.match(await page.text(), '<html')
  server.kill('SIGTERM')
  const [[code], log] = await ended
  t.equal(code, 0, log)
})

void t.test('it scans films, songs and photos, whose readers are threads of the bundle', async (t) => {
  t.teardown(() => waitForNoProcess(data))
  for (const [name, type, sample] of [
    ['Films', 'movie', 'film-mp4'],
    ['Songs', 'music', 'tagged-flac'],
    ['Photos', 'photo', 'photo-jpg'],
  ] as const) {
    const file = await sampleMedia(sample)
    mkdirSync(join(top, name))
    cpSync(file, join(top, name, `Heat (1995)${extname(file)}`))
    const made = phlix('library:create', name, '--type', type, '--path', join(top, name), '--data-dir', data)
    t.equal(made.status, 0, made.stderr)
    const scanned = phlix('library:scan', name, '--no-match', '--json', '--data-dir', data)
    t.equal(scanned.status, 0, scanned.stderr)
    t.match(JSON.parse(scanned.stdout), { added: 1, failed_count: 0 }, name)
  }
})

void t.test('it reads the songs that the sources read: an incomplete one as far as it goes', async (t) => {
  t.teardown(() => waitForNoProcess(data))
  const song = readFileSync(await sampleMedia('tagged-flac'))
  mkdirSync(join(top, 'Cut'))
  // The block after STREAMINFO is cut off. The tag library recognises the end of the file by the class of the error.
  writeFileSync(join(top, 'Cut', 'cut.flac'), song.subarray(0, 60))
  const made = phlix('library:create', 'Cut', '--type', 'music', '--path', join(top, 'Cut'), '--data-dir', data)
  t.equal(made.status, 0, made.stderr)
  const scanned = phlix('library:scan', 'Cut', '--no-match', '--json', '--data-dir', data)
  t.match(JSON.parse(scanned.stdout), { added: 1, failed_count: 0 })
})

void t.test('a command of the release loads few files', (t) => {
  const file = join(top, 'modules')
  const preload = pathToFileURL(join(root, 'test', 'support', 'record-modules.ts')).href
  const recorded = [...CLEAN, `NODE_OPTIONS=--import ${preload}`, `LOADED_MODULES_FILE=${file}`]
  const { status, stderr } = spawnSync('env', [...recorded, program, 'library:list', '--data-dir', data], {
    cwd: home,
    encoding: 'utf8',
  })
  t.equal(status, 0, stderr)
  const urls = readFileSync(file, 'utf8').split('\n')
  const bundled = urls.filter((url) => url.includes('/dist/src/'))
  t.ok(bundled.length > 5 && bundled.length < 60, `${bundled.length} files of the bundle`)
  const packages = new Set(
    urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1] ?? []),
  )
  for (const name of ['zod', 'slonik', 'pg', 'pino', 'semver', 'typebox', 'fastify']) t.notOk(packages.has(name), name)
  t.end()
})

async function untilReady(url: string, isRunning: () => boolean): Promise<number | undefined> {
  while (isRunning()) {
    const reply = await fetch(url).catch(() => undefined)
    if (reply?.ok === true) return reply.status
    await sleep(50)
  }
  return undefined
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { runPhlixFromSources } from '../../support/phlix.ts'

const PRELOAD = pathToFileURL(join(import.meta.dirname, '..', '..', 'support', 'record-modules.ts')).href

/** Packages and folders that only work with media, providers, background jobs or HTTP needs. */
const HEAVY = [
  'sharp',
  'pg-boss',
  'undici',
  'execa',
  'fastify',
  'ajv',
  'typebox',
  'music-metadata',
  'exifr',
  'unpdf',
  'mqtt',
  'listr2',
  'fast-xml-parser',
  'yauzl',
  'chardet',
  'ws',
  '@embedpdf/pdfium',
  '@simplewebauthn/server',
].map((name) => `/node_modules/${name}/`)
const MEDIA_FOLDERS = [
  'platform/images',
  'platform/media-tools',
  'probing',
  'metadata',
  'subtitles',
  'streaming',
  'scanning',
]
const MEDIA = [
  ...MEDIA_FOLDERS.map((name) => `/src/core/${name}/`),
  '/src/core/media-services.ts',
  '/src/core/workers.ts',
]

/** The URLs of the modules that a successful command loads. */
async function loadedModules(t: Test, words: readonly string[]): Promise<string[]> {
  const file = join(reachableDirectory(t), 'modules')
  const { environment } = await testDatabase(t)
  const run = { ...environment, NODE_OPTIONS: `--import ${PRELOAD}`, LOADED_MODULES_FILE: file }
  const { code, stderr } = await runPhlixFromSources([...words, '--data-dir', reachableDirectory(t)], {
    environment: run,
  })
  t.equal(code, 0, stderr)
  return readFileSync(file, 'utf8').split('\n')
}

const among = (urls: readonly string[], parts: readonly string[]): string[] =>
  urls.filter((url) => parts.some((part) => url.includes(part)))

t.before(async () => {
  // The first run after a change of the commands loads all of them to make their manifest.
  await runPhlixFromSources(['version'])
})

void t.test('a command that reads only the database loads no module for media, jobs or HTTP', async (t) => {
  for (const line of ['library:list', 'webhook:list', 'config:unset metadata.language']) {
    const urls = await loadedModules(t, line.split(' '))
    t.ok(among(urls, ['/src/core/core-services.ts']).length === 1, `${line} opens the core services`)
    t.strictSame(among(urls, [...HEAVY, ...MEDIA]), [], line)
  }
})

void t.test('no command loads the index of oclif, which also loads what only its own tools use', async (t) => {
  const urls = await loadedModules(t, ['library:list'])
  t.strictSame(among(urls, ['/@oclif/core/lib/index.js', '/node_modules/semver/']), [])
})

void t.test(
  'a command for encoded segments opens the media services, which load no decoder before its use',
  async (t) => {
    const urls = await loadedModules(t, ['cache:stats'])
    t.ok(among(urls, ['/src/core/media-services.ts']).length === 1)
    t.strictSame(
      among(
        urls,
        HEAVY.filter((name) => !name.includes('chardet')),
      ),
      [],
    )
  },
)

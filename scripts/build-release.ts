import { build } from 'esbuild'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseManifest } from './command-manifest.ts'
import { buildWebPages } from './web-pages/build-web-pages.ts'

/** Packages that find files of their own by path: native code, WebAssembly, threads, plug-ins of oclif. */
export const WITH_FILES = [
  '@embedpdf/pdfium',
  'sharp',
  'pino-pretty',
  'pino-roll',
  '@oclif/plugin-autocomplete',
  '@oclif/plugin-help',
]

/** Large packages that are loaded at their first use, which no start needs. */
export const LOADED_LATER = ['@simplewebauthn/server', 'exifr', 'listr2', 'mqtt', 'undici', 'unpdf']

/** CommonJS packages inside the bundle call `require` for the modules of Node. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`

/**
 * What `bin/run.js` imports of oclif. The bundled copy, which the commands use too; the plug-ins of oclif load their own copy when one of
 * their commands runs.
 */
const OCLIF_ENTRIES = { 'oclif/execute': '@oclif/core/execute', 'oclif/settings': '@oclif/core/settings' }

const SUPPORT = 'src/commands/_support/output'

type Build = {
  /** The checkout that is built. */
  root: string
  /** The folder that receives `dist` and `oclif.manifest.json`. */
  target: string
  /** Further programs for `dist/src`: sources relative to `root` by name without extension. */
  programs?: Readonly<Record<string, string>>
}

/**
 * Bundles `src` into `dist/src` and the pages of the browser into `dist/web-pages`, and writes the command manifest. A bundle, because most of the time of a
 * start is the loading of modules, of which the sources and packages have thousands. Types are checked by `npm run check`.
 */
export async function buildRelease({ root, target, programs = {} }: Build): Promise<void> {
  rmSync(join(target, 'dist'), { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: { ...productEntries(root), ...OCLIF_ENTRIES, ...programs },
    outdir: join(target, 'dist', 'src'),
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
  // The daemon looks for them beside `src`.
  await buildWebPages({ root, target: join(target, 'dist', 'web-pages') })
  writeFileSync(join(target, 'oclif.manifest.json'), await releaseManifest(root))
}

function productEntries(root: string): Record<string, string> {
  /** The name of an entry below dist/src, without extension, and its source. */
  const entriesOf = (pattern: string, name: (path: string) => string): Record<string, string> =>
    Object.fromEntries(globSync(pattern, { cwd: root }).map((path) => [name(path.replace(/\.ts$/, '')), path]))
  return {
    // oclif finds commands by their path.
    ...entriesOf('src/commands/!(_support)/**/*.ts', (path) => path.replace('src/', '')),
    ...entriesOf('src/commands/*.ts', (path) => path.replace('src/', '')),
    'commands/_support/output/help': `${SUPPORT}/help.ts`,
    'commands/_support/output/command-not-found': `${SUPPORT}/command-not-found.ts`,
    // The modules that start these threads become parts of shared files, which are in the same folder.
    ...entriesOf('src/core/**/*-worker.ts', (path) => path.replace(/^.*\//, '')),
  }
}

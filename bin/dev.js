#!/usr/bin/env node
// The entry of a checkout: runs src/commands/*.ts as they are. bin/phlix starts it with the right Node.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

// Also keeps the sources with their types stripped. Threads do not inherit the setting, but the variable.
process.env.NODE_COMPILE_CACHE = join(root, '.cache', 'compile')
enableCompileCache(process.env.NODE_COMPILE_CACHE)

// `phlix library:list | head -1`: the reader has what it wanted, so this is no failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

// Not the index of the package, which also loads what only oclif's own tools use: a third of its modules.
const [{ execute }, { settings }] = await Promise.all([import('@oclif/core/execute'), import('@oclif/core/settings')])
settings.enableAutoTranspile = false
if (servesPages(process.argv.slice(2))) {
  const { keepWebPages, UnwritablePages } = await import('../scripts/web-pages/keep-web-pages.ts')
  try {
    await keepWebPages(root)
  } catch (error) {
    if (!(error instanceof UnwritablePages)) throw error
    process.stderr.write(`${error.message}\n`)
    // EX_NOPERM, as of commands that lack a permission.
    process.exit(77)
  }
}
await execute({ loadOptions: await locateCommands() })

/** `serve`, and `hub:serve` or `hub serve`: they send the pages of the browser, which are built from the present sources. */
function servesPages([first, second]) {
  return first === 'serve' || first === 'hub:serve' || (first === 'hub' && second === 'serve')
}

/**
 * What oclif is to load. Importing every command at each start would be slow, so a manifest of the sources is kept in .cache, under a
 * name made from the sizes and times of the files: after any change it is not found and is made again.
 */
async function locateCommands() {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  pjson.oclif.commands = { strategy: 'pattern', target: './src/commands', globPatterns: ['**/*.ts', '!_support/**'] }
  pjson.oclif.helpClass = join(root, 'src', 'commands', '_support', 'output', 'help.ts')
  const directory = join(root, '.cache', 'commands', fingerprint(join(root, 'src', 'commands'), pjson.version))
  if (!existsSync(join(directory, 'oclif.manifest.json'))) {
    const { keepSourceManifest } = await import('../scripts/command-manifest.ts')
    const isKept = await keepSourceManifest({ root, directory })
    if (!isKept) return { root, pjson: withHook(pjson, root), ignoreManifest: true }
  }
  return { root: directory, pjson: withHook(pjson, directory) }
}

/** oclif looks for hooks below the folder that it is given. */
function withHook(pjson, folder) {
  const hook = join(root, 'src', 'commands', '_support', 'output', 'command-not-found.ts')
  return { ...pjson, oclif: { ...pjson.oclif, hooks: { command_not_found: relative(folder, hook) } } }
}

function fingerprint(folder, version) {
  const hash = createHash('sha256').update(version)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\n${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

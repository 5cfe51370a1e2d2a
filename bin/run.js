#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=16 --no-parallel-scavenge
// The entry of an installed release: runs the compiled commands in dist/. From a checkout use bin/phlix.
import * as nodeModule from 'node:module'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write(`phlix needs Node 24.7 or newer; this is ${process.version}\n`)
  process.exit(69)
}

// Compiled code is read back at the next start. Not in Node's default place below /tmp, where another account could put files first.
// Threads do not inherit the setting, but the variable.
const { HOME: home = '', XDG_CACHE_HOME: caches = '' } = process.env
if (home !== '' || caches !== '') {
  process.env.NODE_COMPILE_CACHE = join(caches === '' ? join(home, '.cache') : caches, 'phlix', 'compile')
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE)
}

// `phlix library:list | head -1`: the reader has what it wanted, so this is no failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

// From the bundle: loading oclif's own 150 files takes longer than most commands.
const [{ default: execution }, { default: shared }] = await Promise.all([
  import('../dist/src/oclif/execute.js'),
  import('../dist/src/oclif/settings.js'),
])
shared.settings.enableAutoTranspile = false
await execution.execute({ dir: import.meta.url })

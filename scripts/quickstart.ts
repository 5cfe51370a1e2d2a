import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { requireSpace, requireWritable, type SpaceRequirement } from './quickstart/data-directory.ts'
import {
  accountCreatedMessage,
  ADMIN,
  hasMatchable,
  readyMessage,
  sampleItemType,
  sampleCommands,
  localAddress,
  type Served,
} from './quickstart/ready-message.ts'
import { ensureLibraries, scanLibraries, type Library } from './quickstart/libraries.ts'
import { findMediaFolders } from './quickstart/media-folders.ts'
import { CommandFailure, phlixRunner, type RunPhlix } from './quickstart/phlix.ts'
import { requirePort } from './quickstart/ports.ts'
import { startServer } from './quickstart/server.ts'

// The part of bin/quickstart that needs Node: from an installed checkout to a served library. The shell script has parsed and checked the
// options. Everything uses the commands that a user would type, and every step is idempotent.

const EXIT_UNAVAILABLE = 69

const { values: options } = parseArgs({
  options: {
    'media-dir': { type: 'string', default: '' },
    'data-dir': { type: 'string' },
    port: { type: 'string', default: '8096' },
    'websocket-port': { type: 'string', default: '8097' },
    host: { type: 'string' },
    once: { type: 'boolean', default: false },
    missing: { type: 'string' },
  },
})
const shared = options['data-dir'] === undefined ? [] : ['--data-dir', options['data-dir']]
const place = { host: options.host, port: Number(options.port) }

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

type Configuration = { data_directory: string; options: { path: string; value: unknown }[] }
type Prepared = {
  requirement: SpaceRequirement
  hasKey: boolean
  password: string | undefined
  libraries: readonly Library[]
}

async function prepare(phlix: RunPhlix): Promise<Prepared> {
  const { requirement, hasKey } = await readSpaceRequirement(phlix)
  say('Preparing the database')
  await phlix(['migrate'])
  if (options.missing !== undefined) {
    const message = `${options.missing}\nThen run this again: everything else is ready.`
    throw new CommandFailure({ code: 'tool_missing', message, exit: EXIT_UNAVAILABLE })
  }
  const password = await createAdmin(phlix)
  if (password !== undefined) process.stdout.write(accountCreatedMessage(password))
  const { folders, unrecognised } = findMediaFolders(options['media-dir'])
  if (unrecognised.length > 0)
    say(`Skipped folders, because their names are not those of a media type: ${unrecognised.join(', ')}`)
  const libraries = await ensureLibraries(phlix, folders)
  say('Scanning')
  await scanLibraries(phlix, libraries, say)
  return { requirement, hasKey, password, libraries }
}

/** @throws CommandFailure when the data directory is not writable (77) or its disk has too little space (74) */
async function readSpaceRequirement(phlix: RunPhlix): Promise<{ requirement: SpaceRequirement; hasKey: boolean }> {
  // Checked before the command, which opens the database if there is one.
  const named = options['data-dir'] ?? process.env['PHLIX_DATA_DIR']
  if (named !== undefined) requireWritable(resolve(named))
  const { data_directory: dataDirectory, options: values } = (await phlix(['config:show'])) as Configuration
  requireWritable(dataDirectory)
  const valueOf = (wanted: string): unknown => values.find(({ path }) => path === wanted)?.value
  const requirement = { dataDirectory, floorBytes: Number(valueOf('hls.min_disk_space_bytes')) }
  requireSpace(requirement)
  // A secret is shown as ***.
  const hasKey = ['metadata.tmdb.api_key', 'metadata.tvdb.api_key'].some((path) => typeof valueOf(path) === 'string')
  return { requirement, hasKey }
}

/** @returns the generated password if this run created the account */
async function createAdmin(phlix: RunPhlix): Promise<string | undefined> {
  try {
    const reply = await phlix(['user:create', ADMIN, '--email', 'admin@localhost.localdomain', '--admin'])
    return (reply as { generated: string }).generated
  } catch (error) {
    // All other input is valid, so the error can only mean that the name is taken.
    if (error instanceof CommandFailure && error.code === 'validation_failed') return undefined
    throw error
  }
}

async function serve({ requirement, hasKey, password, libraries }: Prepared): Promise<number> {
  const resetCommand = ['bin/phlix', 'user:reset-password', ADMIN, ...shared].join(' ')
  const types = libraries.map(({ type }) => type)
  const setKey = ['bin/phlix', 'config:set', 'metadata.tmdb.api_key', '-', ...shared].join(' ')
  const keyCommand = hasKey || !hasMatchable(types) ? undefined : setKey
  const served: Served = { ...place, password, itemType: sampleItemType(types), resetCommand, keyCommand }
  const host = options.host === undefined ? [] : ['--host', options.host]
  const server = startServer([
    ...shared,
    ...host,
    '--port',
    options.port,
    '--websocket-port',
    options['websocket-port'],
  ])
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.stop(signal))
  process.on('SIGHUP', () => server.stop('SIGTERM'))
  try {
    // The scan may have filled the disk.
    const isReady = await server.ready({
      address: localAddress(served),
      say,
      onNotReady: () => requireSpace(requirement),
    })
    if (!isReady) return server.ended
  } catch (error) {
    server.stop('SIGTERM')
    await server.ended
    throw error
  }
  process.stdout.write(readyMessage(served))
  if (!options.once) return server.ended
  const areFine = password === undefined || runSampleCommands(served)
  server.stop('SIGTERM')
  const exit = await server.ended
  return areFine ? exit : 1
}

/** Runs the shell lines that the ready message prints. */
function runSampleCommands(served: Served): boolean {
  const { status } = spawnSync('sh', ['-ec', sampleCommands(served).join('\n')], { stdio: 'inherit' })
  return status === 0
}

async function main(): Promise<number> {
  for (const option of ['port', 'websocket-port'] as const) {
    await requirePort({ host: options.host, port: Number(options[option]), option })
  }
  return serve(await prepare(phlixRunner(shared, say)))
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error
  say(error.message)
  process.exitCode = error.exit
}

import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { ADMIN, invitation, linesToTry, localAddress, type Served } from './quickstart/invitation.ts'
import { ensureLibraries, scanLibraries } from './quickstart/libraries.ts'
import { findMediaFolders } from './quickstart/media-folders.ts'
import { CommandFailure, phlixRunner, type RunPhlix } from './quickstart/phlix.ts'
import { isPhlix, isPortTaken, startServer } from './quickstart/server.ts'

// The part of bin/quickstart that needs Node: from an installed checkout to a served library. The shell has read and checked the
// options. Everything is done through the commands that a person would type, and every step may have been done before.

const EXIT_UNAVAILABLE = 69
const EXIT_BUSY = 75

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

async function prepare(phlix: RunPhlix): Promise<string | undefined> {
  say('Preparing the database')
  await phlix(['migrate'])
  if (options.missing !== undefined) {
    const message = `${options.missing}\nThen run this again: everything else is ready.`
    throw new CommandFailure({ code: 'tool_missing', message, exit: EXIT_UNAVAILABLE })
  }
  const password = await createAdmin(phlix)
  const { folders, unrecognised } = findMediaFolders(options['media-dir'])
  if (unrecognised.length > 0) say(`Left alone, their names say no type: ${unrecognised.join(', ')}`)
  const libraries = await ensureLibraries(phlix, folders)
  say('Scanning')
  await scanLibraries(phlix, libraries, say)
  return password
}

/** @returns the password that was made up for the account, when this run made the account */
async function createAdmin(phlix: RunPhlix): Promise<string | undefined> {
  try {
    const reply = await phlix(['user:create', ADMIN, '--email', 'admin@localhost.localdomain', '--admin'])
    return (reply as { generated: string }).generated
  } catch (error) {
    // Everything that we send is valid, so what is wrong can only be that the name is taken.
    if (error instanceof CommandFailure && error.code === 'validation_failed') return undefined
    throw error
  }
}

async function serve(password: string | undefined): Promise<number> {
  const resetCommand = ['bin/phlix', 'user:reset-password', ADMIN, ...shared].join(' ')
  const served: Served = { ...place, password, resetCommand }
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
  if (!(await server.ready(localAddress(served)))) return server.ended
  process.stdout.write(invitation(served))
  if (!options.once) return server.ended
  const areFine = password === undefined || tryLines(served)
  server.stop('SIGTERM')
  const exit = await server.ended
  return areFine ? exit : 1
}

/** What the invitation tells people to paste, pasted. */
function tryLines(served: Served): boolean {
  const { status } = spawnSync('sh', ['-ec', linesToTry(served).join('\n')], { stdio: 'inherit' })
  return status === 0
}

async function main(): Promise<number> {
  for (const option of ['port', 'websocket-port'] as const) {
    const port = Number(options[option])
    if (!(await isPortTaken(port, place.host))) continue
    const address = localAddress({ ...place, port })
    const isServed = option === 'port' && (await isPhlix(address))
    const who = isServed ? `Phlix is served there already: ${address}` : 'another program listens there'
    say(`Port ${port} is in use: ${who}. Stop it, or choose another with --${option}.`)
    return EXIT_BUSY
  }
  return serve(await prepare(phlixRunner(shared)))
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error
  say(error.message)
  process.exitCode = error.exit
}

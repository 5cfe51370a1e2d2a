import type { Socket } from 'node:net'
import { extname, join } from 'node:path'
import { describeError, type AppError } from '../../errors/index.ts'
import type { Logger } from '../../logging/index.ts'
import { startProgram } from '../../spawn/index.ts'
import { databaseErrors } from '../errors.ts'
import { engineConnectionUri, enginePaths, type EnginePaths } from './engine-paths.ts'
import { takeLease } from './keeper-socket.ts'

export type EngineLease = {
  connectionUri: string
  /** Gives the lease back; the engine stops soon after the last one. Idempotent. */
  leave(): Promise<void>
}

export type JoinInput = {
  /** Absolute path. */
  dataDirectory: string
  log: Logger
  /** False trades safety for speed; only tests may. */
  isDurable?: boolean
}

const JOIN_LIMIT_MILLISECONDS = 75_000
const LAST_CHANCE_MILLISECONDS = 2000
const POLL_MILLISECONDS = 20
const REJOIN_PAUSE_MILLISECONDS = 250

/**
 * Joins the data directory's embedded PostgreSQL, starting it when it is down. Any number of processes may do so at the same time;
 * the engine runs until the last of them leaves or dies. A lease that is lost (its keeper was killed) is taken again by itself.
 * @throws AppError `engine_failed`, `engine_misplaced`, `engine_version`
 */
export async function joinEngine(input: JoinInput): Promise<EngineLease> {
  const paths = enginePaths(input.dataDirectory)
  let hasLeft = false
  let lease: Socket
  const hold = (socket: Socket): void => {
    lease = socket
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      if (!hasLeft) void rejoin()
    })
  }
  const rejoin = async (): Promise<void> => {
    input.log.warning('the embedded database lost its keeper; taking it up again')
    while (!hasLeft) {
      try {
        const socket = await lookForEngine(paths, input)
        if (hasLeft) socket.destroy()
        else hold(socket)
        return
      } catch (error) {
        input.log.error({ reason: describeError(error) }, 'the embedded database does not come back')
        await pause(REJOIN_PAUSE_MILLISECONDS)
      }
    }
  }
  hold(await lookForEngine(paths, input))
  return {
    connectionUri: engineConnectionUri(paths),
    async leave() {
      hasLeft = true
      lease.destroy()
    },
  }
}

async function lookForEngine(paths: EnginePaths, input: JoinInput): Promise<Socket> {
  const deadline = performance.now() + JOIN_LIMIT_MILLISECONDS
  let keeper: StartedKeeper | undefined
  while (performance.now() < deadline) {
    const lease = await takeLease(paths, deadline - performance.now())
    if (lease !== undefined) return lease
    const failure = keeper?.failure()
    // Our keeper tried for long enough; only one that somebody else started meanwhile can help.
    if (failure !== undefined) return await takeLastChance(paths, failure)
    if (keeper === undefined || keeper.hasEnded()) keeper = startKeeper(input)
    await pause(POLL_MILLISECONDS)
  }
  throw databaseErrors.engine_failed({ message: `see ${paths.serverLog}` })
}

async function takeLastChance(paths: EnginePaths, failure: AppError): Promise<Socket> {
  const lease = await takeLease(paths, LAST_CHANCE_MILLISECONDS)
  if (lease === undefined) throw failure
  return lease
}

type StartedKeeper = { failure(): AppError | undefined; hasEnded(): boolean }

function startKeeper({ dataDirectory, isDurable = true }: JoinInput): StartedKeeper {
  let output = ''
  let hasEnded = false
  const program = startProgram({
    program: process.execPath,
    arguments: [
      join(import.meta.dirname, `keeper${extname(import.meta.filename)}`),
      dataDirectory,
      isDurable ? 'durable' : 'fast',
    ],
    workingDirectory: '/',
    isIndependent: true,
    onOutput: (text) => {
      output += text
    },
  })
  void program.ended.then(() => {
    hasEnded = true
  })
  return { failure: () => readFailure(output), hasEnded: () => hasEnded }
}

function readFailure(output: string): AppError | undefined {
  const [line] = output.split('\n')
  if (line === undefined || !output.includes('\n')) return undefined
  const report = JSON.parse(line) as { ready: boolean; code?: string; message?: string; hint?: string }
  if (report.ready) return undefined
  const known = Object.entries(databaseErrors).find(([, factory]) => factory.definition.code === report.code)
  return (known?.[1] ?? databaseErrors.engine_failed)({ message: report.message ?? '', hint: report.hint ?? '' })
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

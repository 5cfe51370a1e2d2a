import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One run of an entry file. */
export type Command = {
  /** Path of the file that a separate process would be started with. */
  entry: string
  words: readonly string[]
  /** The complete environment. */
  environment: Readonly<Record<string, string>>
  /** Text that marks the end of the command's output in both streams. */
  endMark: string
}

/** Message of the host after a command. */
export type Ended = { code: number }

export type CommandResult = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

const HOST = join(import.meta.dirname, 'command-host-process.ts')

let host: ChildProcess | undefined
let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs a command in a warm child process that all commands of this process share sequentially. Starting a process for each one takes twenty
 * times as long. A command that ends its process ends the host too; the next command gets a new host.
 */
export function runInHost(command: Omit<Command, 'endMark'>): Promise<CommandResult> {
  const result = previous.then(() => run({ ...command, endMark: randomUUID() }))
  previous = result.catch(() => {})
  return result
}

/** An environment that inherits nothing but PATH. */
export function minimalEnvironment(added: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: tmpdir(), ...added }
}

/** Starts the host. It ends with this process, because its channel closes then. */
function startHost(): ChildProcess {
  const child = spawn(process.execPath, [HOST], { env: minimalEnvironment(), stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  child.stdout?.setEncoding('utf8')
  child.stderr?.setEncoding('utf8')
  child.once('close', () => {
    if (host === child) host = undefined
  })
  return child
}

async function run(command: Command): Promise<CommandResult> {
  const child = (host ??= startHost())
  // This process may end while no command runs.
  keepAlive(child, true)
  try {
    return await take(child, command)
  } finally {
    keepAlive(child, false)
  }
}

/** Resolves when both streams and the message have reported the end, or the host has ended. */
function take(child: ChildProcess, command: Command): Promise<CommandResult> {
  const { endMark } = command
  return new Promise((resolve, reject) => {
    const said = { stdout: '', stderr: '' }
    let ended: Ended | undefined
    const settle = (outcome: { code: number | null; signal: NodeJS.Signals | null }): void => {
      child.stdout?.removeAllListeners('data')
      child.stderr?.removeAllListeners('data')
      child.off('message', onMessage).off('close', onClose).off('error', reject)
      const [stdout = '', stderr = ''] = [said.stdout, said.stderr].map((text) => text.split(endMark)[0])
      resolve({ ...outcome, stdout, stderr })
    }
    const look = (): void => {
      const isComplete = said.stdout.includes(endMark) && said.stderr.includes(endMark)
      if (isComplete && ended !== undefined) settle({ code: ended.code, signal: null })
    }
    const onMessage = (message: unknown): void => {
      ended = message as Ended
      look()
    }
    const onClose = (code: number | null, signal: NodeJS.Signals | null): void => settle({ code, signal })
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (text: string) => {
        said[name] += text
        look()
      })
    }
    child.on('message', onMessage).once('close', onClose).once('error', reject)
    child.send(command)
  })
}

function keepAlive(child: ChildProcess, isKept: boolean): void {
  const change = isKept ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
  // Pipes of a child are sockets.
  for (const stream of [child.stdout, child.stderr]) (stream as Socket)[change]()
}

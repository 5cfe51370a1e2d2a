import { Exit } from '@oclif/core/handle'
import type { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Command, Ended } from './command-host.ts'

/**
 * The child process of command-host.ts: runs an entry file again and again as if each run were a process of its own. What costs most
 * of a start, loading modules, is done once.
 */

/** A command that runs; its `exit` is the code that oclif's error handling asked for, `isDone` that its entry file has ended. */
type Running = Command & { exit: number | undefined; isDone: boolean; restore: () => void }

/** What a real process exits with when nothing is left to do, but its entry file still waits (Node's documentation, "Exit codes"). */
const UNSETTLED_EXIT = 13

/** Listeners on these change how a process ends; those of one command must not be there for the next one. */
const ENDING_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'uncaughtException', 'unhandledRejection']

/** What entry files and oclif listen to on the output streams at every start. */
const STREAM_EVENTS = ['error', 'drain']

let running: Running | undefined
let runs = 0

// In a process of its own this ends the process at once. Here the code is kept, and what the command left behind is awaited as well.
Exit.exit = ((code = 0) => {
  if (running !== undefined) running.exit ??= code
}) as typeof Exit.exit

process.on('message', (command: Command) => void start(command))
process.on('disconnect', () => process.exit())

// Nothing keeps the process alive: a process of its own would end here.
process.on('beforeExit', (exitCode) => {
  if (running !== undefined) end(running, exitCode)
})

async function start(command: Command): Promise<void> {
  const started: Running = { ...command, exit: undefined, isDone: false, restore: rememberListeners() }
  running = started
  replaceEnvironment(command.environment)
  process.argv = [process.execPath, command.entry, ...command.words]
  giveEmptyInput()
  process.channel?.unref()
  runs += 1
  // The number makes Node run the file again. What it imports has no number and is loaded already.
  await import(`${pathToFileURL(command.entry).href}?run=${runs}`)
  started.isDone = true
}

function end({ endMark, exit, isDone, restore }: Running, exitCode: number): void {
  running = undefined
  process.channel?.ref()
  process.exitCode = undefined
  restore()
  process.stdout.write(endMark)
  process.stderr.write(endMark)
  const ended: Ended = { code: exit ?? (isDone ? exitCode : UNSETTLED_EXIT) }
  process.send?.(ended)
}

function replaceEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
}

/** Standard input can be read once in the life of a process, so every command gets one of its own, which is empty. */
function giveEmptyInput(): void {
  const input = Readable.from([])
  Object.defineProperty(process, 'stdin', { configurable: true, enumerable: true, get: () => input })
}

/** @returns a function that removes the listeners that were added since */
function rememberListeners(): () => void {
  const outputs = [process.stdout, process.stderr]
  const removals = [
    ...ENDING_EVENTS.map((event) => rememberListenersOf(process, event)),
    ...STREAM_EVENTS.flatMap((event) => outputs.map((output) => rememberListenersOf(output, event))),
  ]
  return () => {
    for (const remove of removals) remove()
  }
}

function rememberListenersOf(emitter: EventEmitter, event: string): () => void {
  const kept = new Set(emitter.rawListeners(event))
  return () => {
    for (const listener of emitter.rawListeners(event)) {
      if (!kept.has(listener)) emitter.off(event, listener as () => void)
    }
  }
}

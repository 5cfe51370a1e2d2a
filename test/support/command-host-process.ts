import { Exit } from '@oclif/core/handle'
import type { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Command, Ended } from './command-host.ts'

/**
 * The child process of command-host.ts. It runs entry files repeatedly as if each run were a separate process. Loading modules, the most
 * expensive part of a start, is done once.
 */

/** A running command. `exit` is the code that oclif's error handling requested; `isDone` means that its entry file has ended. */
type Running = Command & { exit: number | undefined; isDone: boolean; restore: () => void }

/** Exit code of a process whose entry file still waits when the event loop is empty (Node documentation, "Exit codes"). */
const UNSETTLED_EXIT = 13

/** Events whose listeners change how a process ends. Listeners of one command must be removed before the next one. */
const ENDING_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'uncaughtException', 'unhandledRejection']

/** Events of the output streams that entry files and oclif listen to at every start. */
const STREAM_EVENTS = ['error', 'drain']

let running: Running | undefined
let runs = 0

// In a separate process this ends the process at once. Here the code is recorded, and pending work of the command is awaited.
Exit.exit = ((code = 0) => {
  if (running !== undefined) running.exit ??= code
}) as typeof Exit.exit

process.on('message', (command: Command) => void start(command))
process.on('disconnect', () => process.exit())

// The event loop is empty: a separate process would end here.
process.on('beforeExit', (exitCode) => {
  if (running !== undefined) end(running, exitCode)
})

async function start(command: Command): Promise<void> {
  const started: Running = { ...command, exit: undefined, isDone: false, restore: captureListeners() }
  running = started
  replaceEnvironment(command.environment)
  process.argv = [process.execPath, command.entry, ...command.words]
  replaceInput()
  process.channel?.unref()
  runs += 1
  // The number makes Node run the file again. Its imports have no number and are already loaded.
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

/** Replaces standard input by an empty stream for every command, because it can be read only once per process. */
function replaceInput(): void {
  const input = Readable.from([])
  Object.defineProperty(process, 'stdin', { configurable: true, enumerable: true, get: () => input })
}

/** @returns a function that removes the listeners added since this call */
function captureListeners(): () => void {
  const outputs = [process.stdout, process.stderr]
  const removals = [
    ...ENDING_EVENTS.map((event) => captureListenersOf(process, event)),
    ...STREAM_EVENTS.flatMap((event) => outputs.map((output) => captureListenersOf(output, event))),
  ]
  return () => {
    for (const remove of removals) remove()
  }
}

function captureListenersOf(emitter: EventEmitter, event: string): () => void {
  const kept = new Set(emitter.rawListeners(event))
  return () => {
    for (const listener of emitter.rawListeners(event)) {
      if (!kept.has(listener)) emitter.off(event, listener as () => void)
    }
  }
}

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type FoundProcess = { pid: number; command: string }

/** Running processes whose command line contains the data directory or that work inside it; zombies are excluded. */
export function processesOf(dataDirectory: string): FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        const isOurs = command.includes(dataDirectory) || readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDirectory)
        return isOurs && command !== '' ? [{ pid: Number(pid), command }] : []
      } catch {
        return []
      }
    })
}

/** Waits up to 180 s until none is left; the engine may take a moment to stop. Returns the command lines of the remaining ones. */
export async function untilNoProcessOf(dataDirectory: string): Promise<string[]> {
  return untilNone(() => processesOf(dataDirectory))
}

/**
 * Waits up to 180 s for the end of a directory's database engine only: a paused encoder reads a file of the directory until the services
 * that started it are closed, which may be later.
 */
export async function untilNoEngineOf(dataDirectory: string): Promise<string[]> {
  return untilNone(() => processesOf(dataDirectory).filter(({ command }) => /postgres|phlix-keeper/.test(command)))
}

async function untilNone(find: () => FoundProcess[]): Promise<string[]> {
  for (let tries = 0; tries < 1800 && find().length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  return find().map(({ command }) => command)
}

/** Resolves when none is left. */
export async function waitForNoProcess(dataDirectory: string): Promise<void> {
  const left = await untilNoProcessOf(dataDirectory)
  if (left.length > 0) throw new Error(`processes are left: ${left.join('; ')}`)
}

/** The state of a process, field 3 of /proc/PID/stat; empty when it has ended, `Z` when its parent has not read its exit code. */
export function processState(pid: number): string {
  const path = `/proc/${pid}/stat`
  return existsSync(path) ? (/\) (\w) /.exec(readFileSync(path, 'utf8'))?.[1] ?? '') : ''
}

/** Kills a child process and waits for its end. */
export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

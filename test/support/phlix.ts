import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { joinEngine } from '../../src/core/platform/database/index.ts'
import { hasCluster } from '../../src/core/platform/database/engine/prepare-cluster.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { timeSetup } from '../runner/setup-times.ts'
import { bareEnvironment, runInHost, type CommandResult } from './command-host.ts'
import { memoryParent } from './memory-directory.ts'
import { copyPreparedCluster } from './prepared-cluster.ts'
import { waitForNoProcess } from './processes.ts'

const ENTRY = fileURLToPath(new URL('../../bin/dev.js', import.meta.url))

export type PhlixRun = {
  /** Added to an environment that holds nothing of the tester's but PATH. */
  environment?: Record<string, string>
  /** What standard input holds; without it standard input is empty and closed. */
  input?: string
}

export type PhlixResult = CommandResult

/** A command that runs; `result` resolves when it has ended. */
export type RunningPhlix = { child: ChildProcess; result: Promise<PhlixResult> }

/** Starts the real command line of this checkout as a child process. */
export function startPhlix(words: readonly string[], { environment = {}, input = '' }: PhlixRun = {}): RunningPhlix {
  const child = spawn(process.execPath, [ENTRY, ...words], { env: bareEnvironment(environment), stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const result = new Promise<PhlixResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, result }
}

/**
 * Runs a command to its end in the host that the commands of this process share (command-host.ts), one after the other. A command that
 * is given input runs in a process of its own, because standard input is one of a process. For signals, for commands that run at the
 * same time, and for what happens at the start or the end of a process there are the functions above and below.
 */
export function runPhlix(words: readonly string[], run: PhlixRun = {}): Promise<PhlixResult> {
  if (run.input !== undefined && run.input !== '') return runPhlixProcess(words, run)
  const environment = bareEnvironment(run.environment)
  return timeSetup('command', () => runInHost({ entry: ENTRY, words, environment }))
}

/** The same for an entry file that is not the command line's. */
export function runEntry(
  entry: string,
  words: readonly string[],
  { environment }: Omit<PhlixRun, 'input'> = {},
): Promise<PhlixResult> {
  return runInHost({ entry, words, environment: bareEnvironment(environment) })
}

/** Runs the real command line to its end, in a process of its own. */
export function runPhlixProcess(words: readonly string[], run: PhlixRun = {}): Promise<PhlixResult> {
  return timeSetup('command', () => startPhlix(words, run).result)
}

/** Runs `sh -c script`, in which `phlix` is the command line: for pipes and terminals. */
export function runShell(script: string, environment: Record<string, string> = {}): Promise<PhlixResult> {
  const definition = `phlix() { "${process.execPath}" "${ENTRY}" "$@"; }`
  const child = spawn('sh', ['-c', `${definition}\n${script}`], { env: bareEnvironment(environment), stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.end()
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

/** The words that start the command line, for tools that take a command as text. */
export const PHLIX_WORDS = `"${process.execPath}" "${ENTRY}"`

type Test = { teardown(action: () => Promise<void>): void }

/**
 * A data directory of its own for a test, removed at its end, when no process may be left in it. Others may pass through it, because
 * under root the engine runs as another account.
 */
export async function temporaryDataDirectory(t: Test): Promise<string> {
  const directory = await mkdtemp(join(memoryParent(), 'phlix-cli-'))
  await chmod(directory, 0o755)
  t.teardown(async () => {
    try {
      await waitForNoProcess(directory)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
  return directory
}

/** A path beside others of the same data directory, for media: what is in memory cannot be a library. */
export function besideDataDirectory(dataDirectory: string, name: string): string {
  return join(tmpdir(), `${basename(dataDirectory)}-${name}`)
}

/**
 * Keeps the embedded database of a data directory running until the test ends: commands join it, where each would start and stop it
 * for itself, which takes longer than most of them. An empty directory gets one that is migrated. For files whose claims are not about
 * that.
 */
export async function holdEngine(t: Test, dataDirectory: string): Promise<void> {
  if (!hasCluster(dataDirectory)) await copyPreparedCluster(dataDirectory)
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'error' })
  const lease = await joinEngine({ dataDirectory, log })
  t.teardown(() => lease.leave())
}

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
import { checkDocument } from './check-document.ts'
import { minimalEnvironment, runInHost, type CommandResult } from './command-host.ts'
import { memoryParent } from './memory-directory.ts'
import { copyPreparedCluster } from './prepared-cluster.ts'
import { waitForNoProcess } from './processes.ts'
import { keepRelease } from './release.ts'

/** Commands of the host run from the sources, whose modules it loads once. Separate processes run the release, which starts faster. */
const SOURCE_ENTRY = fileURLToPath(new URL('../../bin/dev.js', import.meta.url))
const { entry: RELEASE_ENTRY, cacheHome: CACHE_HOME } = await keepRelease()

export type PhlixRun = {
  /** Added to an environment that inherits nothing but PATH. */
  environment?: Record<string, string>
  /** Content of standard input; by default it is empty and closed. */
  input?: string
  /** A program that runs the command, with its arguments, for example to enter a network namespace. */
  within?: readonly string[]
}

export type PhlixResult = CommandResult

/** A running command; `result` resolves when it has ended. */
export type RunningPhlix = { child: ChildProcess; result: Promise<PhlixResult> }

/** Starts the command line of the release of this checkout as a child process. */
export function startPhlix(
  words: readonly string[],
  { environment = {}, input = '', within = [] }: PhlixRun = {},
): RunningPhlix {
  const [program = '', ...rest] = [...within, process.execPath, RELEASE_ENTRY, ...words]
  const child = spawn(program, rest, {
    env: releaseEnvironment(environment),
    stdio: 'pipe',
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const result = resultOf(child)
  return { child, result }
}

function resultOf(child: ChildProcess): Promise<PhlixResult> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

/**
 * Runs a command to its end in the host that the commands of this process share sequentially (command-host.ts). A `--json` document that
 * differs from its schema is an error. A command with input runs in a separate process, because standard input can be read once per process.
 * The other functions of this module are for signals, concurrent commands, and the start and end of processes.
 */
export async function runPhlix(words: readonly string[], run: PhlixRun = {}): Promise<PhlixResult> {
  if (run.input !== undefined && run.input !== '') return runPhlixProcess(words, run)
  const environment = minimalEnvironment(run.environment)
  const result = await timeSetup('command', () => runInHost({ entry: SOURCE_ENTRY, words, environment }))
  await checkDocument(words, result)
  return result
}

/** The same for any entry file. */
export function runEntry(
  entry: string,
  words: readonly string[],
  { environment }: Omit<PhlixRun, 'input'> = {},
): Promise<PhlixResult> {
  return runInHost({ entry, words, environment: minimalEnvironment(environment) })
}

/** Runs the command line of the release to its end in a separate process. */
export async function runPhlixProcess(words: readonly string[], run: PhlixRun = {}): Promise<PhlixResult> {
  const result = await timeSetup('command', () => startPhlix(words, run).result)
  await checkDocument(words, result)
  return result
}

/** Runs a command from the sources in a separate process, for tests that look at the modules that it loads. */
export function runPhlixFromSources(
  words: readonly string[],
  { environment = {} }: PhlixRun = {},
): Promise<PhlixResult> {
  return timeSetup('command', () =>
    resultOf(
      spawn(process.execPath, [SOURCE_ENTRY, ...words], {
        env: minimalEnvironment(environment),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    ),
  )
}

/** Runs `sh -c script`, in which `phlix` is the command line: for pipes and terminals. */
export function runShell(script: string, environment: Record<string, string> = {}): Promise<PhlixResult> {
  const definition = `phlix() { ${PHLIX_WORDS} "$@"; }`
  const child = spawn('sh', ['-c', `${definition}\n${script}`], { env: releaseEnvironment(environment), stdio: 'pipe' })
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

/** The command that starts the command line, for tools that take it as text. */
export const PHLIX_WORDS = `"${process.execPath}" "${RELEASE_ENTRY}"`

function releaseEnvironment(added: Record<string, string>): Record<string, string> {
  return minimalEnvironment({ XDG_CACHE_HOME: CACHE_HOME, ...added })
}

type Test = { teardown(action: () => Promise<void>): void }

/**
 * A separate data directory, removed at the end of the test, when no process may be left in it. Other accounts can traverse it, because
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

/** A path beside a data directory, for media: a folder in memory cannot be a library. */
export function siblingOfDataDirectory(dataDirectory: string, name: string): string {
  return join(tmpdir(), `${basename(dataDirectory)}-${name}`)
}

/**
 * Keeps the embedded database of a data directory running until the test ends. Commands join it instead of starting and stopping it, which
 * takes longer than most of them. An empty directory gets a migrated database. For files that do not test the start of the engine.
 */
export async function keepEngineRunning(t: Test, dataDirectory: string): Promise<void> {
  if (!hasCluster(dataDirectory)) await copyPreparedCluster(dataDirectory)
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'error' })
  const lease = await joinEngine({ dataDirectory, log })
  t.teardown(() => lease.leave())
}

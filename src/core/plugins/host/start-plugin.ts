import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { startConnectedProgram } from '../../platform/spawn/index.ts'
import { checkFiles } from '../archive/check-files.ts'
import { createCallHandler } from '../calls/handle-calls.ts'
import { pluginErrors } from '../errors.ts'
import { versionFolder } from '../plugin-folders.ts'
import { effectiveSettings } from '../manifest/plugin-settings.ts'
import type { Plugin } from '../plugin.ts'
import { PROCESS_LIMITS, type ProcessLimits } from '../process/limits.ts'
import { connectPlugin, printableText, type PluginProcess } from '../process/plugin-process.ts'
import { RUNTIME_TEXT } from '../process/plugin-runtime.ts'
import { NICENESS, type Sandbox } from '../process/sandbox.ts'

export type StartServices = { config: Config; db: Database; log: Logger; outbound: Outbound }

export type PluginStart = {
  plugin: Plugin
  sandbox: Sandbox
  limits?: ProcessLimits
  /** Ends a start that has not succeeded yet. */
  signal?: AbortSignal
}

const STOP_MILLISECONDS = 2000
const LOG_WINDOW_MILLISECONDS = 10_000
const LOG_LINES_IN_WINDOW = 100

/**
 * Starts the process of a plugin: checks its files, starts the process in the sandbox, and waits for `onEnable`.
 * @throws AppError `plugin_changed`, `plugin_isolation_missing`, `plugin_start_failed` with the reason; the reason of the signal
 */
export async function startPlugin(
  services: StartServices,
  { plugin, sandbox, limits = PROCESS_LIMITS, signal }: PluginStart,
): Promise<PluginProcess> {
  const { config, log } = services
  if (sandbox.level === 'weak' && !config.options['plugins.allow_weak_isolation']) {
    throw pluginErrors.plugin_isolation_missing()
  }
  const folder = versionFolder(config.dataDirectory, plugin)
  await checkFiles(folder, plugin.fileHashes)
  signal?.throwIfAborted()
  const command = sandbox.command({ name: plugin.name, folder, text: RUNTIME_TEXT })
  const { dataDirectory } = config
  const program = startConnectedProgram({ ...command, workingDirectory: '/', dataDirectory, niceness: NICENESS })
  const pluginLog = log.child({ plugin: plugin.name })
  const running = connectPlugin({
    program,
    limits,
    answer: createCallHandler(services, plugin),
    onLog: limitLines((text) => pluginLog.info({ text }, 'a plugin logs')),
  })
  void running.ended.then((reason) => {
    pluginLog.debug({ reason, stderr: program.stderrTail().slice(-4000) }, 'the process of a plugin ended')
  })
  const { settings, entry } = plugin.manifest
  const abandon = (): void => running.kill('the server stops')
  signal?.addEventListener('abort', abandon, { once: true })
  try {
    const params = { folder, entry, settings: effectiveSettings(settings, plugin.settings) }
    await running.call('initialize', params, limits.startMilliseconds)
    return running
  } catch (error) {
    running.kill('it did not start')
    await running.ended
    const lastLine = program.stderrTail().trim().split('\n').at(-1) ?? ''
    const message = `${describeError(error)}${lastLine === '' ? '' : ` (${printableText(lastLine.slice(0, 300))})`}`
    throw pluginErrors.plugin_start_failed({ message, cause: error })
  } finally {
    signal?.removeEventListener('abort', abandon)
  }
}

/** Passes on the first 100 lines of each 10 s: a plugin must not fill the log of the server. */
function limitLines(write: (text: string) => void): (text: string) => void {
  let windowEnd = 0
  let count = 0
  return (text) => {
    if (performance.now() > windowEnd) {
      windowEnd = performance.now() + LOG_WINDOW_MILLISECONDS
      count = 0
    }
    count += 1
    if (count <= LOG_LINES_IN_WINDOW) write(text)
  }
}

/** Asks a plugin to stop and kills it if it does not within 2 s. */
export async function stopPlugin(running: PluginProcess): Promise<void> {
  await running.call('shutdown', {}, STOP_MILLISECONDS).catch(() => undefined)
  const timer = setTimeout(() => running.kill('it did not stop'), STOP_MILLISECONDS)
  await running.ended
  clearTimeout(timer)
}

/** Starts a plugin once and stops it again. @throws as `startPlugin` does */
export async function testPluginStart(services: StartServices, input: PluginStart): Promise<void> {
  await stopPlugin(await startPlugin(services, input))
}

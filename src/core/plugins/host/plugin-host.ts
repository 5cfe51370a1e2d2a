import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { forwardEvents, type ForwardServices } from '../events/forward-events.ts'
import { filterPayloadByPermissions, type HookEvent } from '../events/hook-event.ts'
import { deleteExpiredEvents, insertEvents } from '../events/queries.ts'
import type { HookEventName } from '../manifest/hook-events.ts'
import type { SettingValues } from '../manifest/plugin-settings.ts'
import { isRunnable, type PluginType } from '../manifest/plugin-types.ts'
import type { Plugin, PluginName } from '../plugin.ts'
import type { ProcessLimits } from '../process/limits.ts'
import type { Sandbox, SandboxLevel } from '../process/sandbox.ts'
import { selectEnabled, selectPlugin } from '../queries.ts'
import { findPluginSandbox } from './find-plugin-sandbox.ts'
import { startRunner, type PluginRunner, type RunnerServices } from './plugin-runner.ts'

export type HostInput = {
  /** Only these levels of isolation are tried. Default: all. */
  levels?: readonly SandboxLevel[]
  limits?: ProcessLimits
  restartMilliseconds?: readonly number[]
  failuresToDisable?: number
}

/** An enabled plugin that provides methods. */
export type PluginProvider = {
  name: PluginName
  /** The settings that the administrator has set; those without a value are absent. */
  settings: SettingValues
  /**
   * Calls a method of the plugin's class. The answer is not checked: it is JSON of at most 1 MiB and 32 levels, or null if the class has no
   * such method.
   * @throws AppError `plugin_unavailable`: it does not run, has too many open calls, throws, or responds too late; the reason of the signal
   */
  ask: (method: string, question: object, signal?: AbortSignal) => Promise<unknown>
}

/** Runs the enabled plugins, from `start` to `stop`. Only the process that does the work of the server starts it. */
export type PluginHost = {
  /** Starts the enabled plugins and follows changes of them. Once. */
  start(): void
  /** The enabled plugins of a type, by name; none before `start`. */
  providers(type: PluginType): readonly PluginProvider[]
  /** Gives an event to the plugins that subscribe to it. Returns at once; failures are logged. */
  publish(event: HookEvent): void
  /** Starts and stops plugins as their rows say; also every 2 s. Never rejects. */
  refresh(): Promise<void>
  /** The process of an enabled plugin; undefined while it is not known. */
  find(name: string): PluginRunner | undefined
  stop(): Promise<void>
}

const POLL_MILLISECONDS = 2000
const RETENTION_MILLISECONDS = 24 * 3_600_000

/** Creates a host that is not started. Commands change rows; the host reads them, so that no command needs to reach it. */
export function createPluginHost(services: RunnerServices & ForwardServices, input: HostInput = {}): PluginHost {
  const { db, clock, log } = services
  const runners = new Map<string, PluginRunner>()
  let sandbox: Promise<Sandbox> | undefined

  async function reconcile(): Promise<void> {
    const enabled = await selectEnabled(db)
    const old = [...runners.values()].filter(({ plugin }) => enabled.get(plugin.name) !== plugin.updatedAt.getTime())
    await Promise.all(
      old.map(async (runner) => {
        await runner.stop()
        runners.delete(runner.plugin.name)
      }),
    )
    for (const name of enabled.keys()) {
      const plugin = runners.has(name) ? undefined : await selectPlugin(db, name)
      if (plugin?.isEnabled === true && isRunnable(plugin.manifest.type)) runners.set(name, await start(plugin))
    }
    const expired = await deleteExpiredEvents(db, new Date(clock.now().getTime() - RETENTION_MILLISECONDS))
    if (expired > 0) log.warning({ count: expired }, 'events for plugins expired')
    for (const runner of runners.values()) void runner.deliverStored()
  }

  async function start(plugin: Plugin): Promise<PluginRunner> {
    sandbox ??= findPluginSandbox(services, input).catch((error: unknown) => {
      sandbox = undefined
      throw error
    })
    return startRunner(services, { plugin, sandbox: await sandbox, ...input })
  }

  let polling: PeriodicTask | undefined
  let unfollow: (() => void) | undefined

  function publish(event: HookEvent): void {
    const subscribed = subscribersOf(event.name)
    const isDurable = ({ plugin }: PluginRunner): boolean => plugin.manifest.permissions.isDurable
    for (const runner of subscribed) if (!isDurable(runner)) runner.deliver(event)
    for (const runner of subscribed.filter(isDurable)) store(event, runner)
  }

  function store(event: HookEvent, runner: PluginRunner): void {
    // What the plugin may not see is not stored for it.
    const payload = filterPayloadByPermissions(event.payload, runner.plugin.manifest.permissions)
    const stored = insertEvents(db, { ...event, payload }, [runner.plugin.name]).then(() => runner.deliverStored())
    stored.catch((error: unknown) => {
      log.warning({ event: event.name, reason: describeError(error) }, 'storing an event for plugins failed')
    })
  }

  const subscribersOf = (name: HookEventName): PluginRunner[] =>
    [...runners.values()].filter(({ plugin }) => plugin.manifest.events.includes(name))

  return {
    start() {
      polling = startPeriodicTask({
        intervalMilliseconds: POLL_MILLISECONDS,
        startsAtOnce: true,
        work: reconcile,
        onError: (error) => log.warning({ reason: describeError(error) }, 'reading the plugins failed'),
      })
      unfollow = forwardEvents(services, { publish, isWanted: (name) => subscribersOf(name).length > 0 })
    },
    providers: (type) =>
      [...runners.values()]
        .filter(({ plugin }) => plugin.manifest.type === type)
        .map(({ plugin, ask }) => ({ name: plugin.name, settings: plugin.settings, ask }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    publish,
    refresh: async () => polling?.run(),
    find: (name) => runners.get(name),
    async stop() {
      unfollow?.()
      await polling?.stop()
      await Promise.all([...runners.values()].map((runner) => runner.stop()))
      runners.clear()
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { Semaphore, untilAborted } from '../../platform/concurrency/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { pluginErrors } from '../errors.ts'
import { eventRetryDelayMilliseconds } from '../events/retry-delay.ts'
import { EventQueue } from '../events/event-queue.ts'
import { filterPayloadByPermissions, type HookEvent } from '../events/hook-event.ts'
import { deleteEvent, postponeEvent, selectDueEvent } from '../events/queries.ts'
import type { Plugin } from '../plugin.ts'
import { PROCESS_LIMITS, type ProcessLimits } from '../process/limits.ts'
import type { PluginProcess } from '../process/plugin-process.ts'
import type { Sandbox } from '../process/sandbox.ts'
import { disableUnchanged } from '../queries.ts'
import { startPlugin, stopPlugin, type StartServices } from './start-plugin.ts'

export type RunnerServices = StartServices & { clock: Clock }

export type RunnerInput = {
  plugin: Plugin
  sandbox: Sandbox
  limits?: ProcessLimits
  /** How long a failed plugin waits before its next start, by the number of failures before. */
  restartMilliseconds?: readonly number[]
  /** The number of failures within 10 minutes after which it is disabled. */
  failuresToDisable?: number
}

/** The life of one enabled plugin: starts, restarts after failures, and deliveries. */
export type PluginRunner = {
  readonly plugin: Plugin
  /** Whether its process runs and has been initialised. */
  isRunning(): boolean
  /** Resident memory of its process; 0 without one. */
  memoryBytes(): number
  /** Number of starts after failures. */
  restarts(): number
  /** Asks it as `PluginProvider.ask` describes. */
  ask: (method: string, question: object, signal?: AbortSignal) => Promise<unknown>
  /** Delivers an event once, after those that wait. */
  deliver(event: HookEvent): void
  /** Delivers the stored events that are due. Never rejects. */
  deliverStored(): Promise<void>
  stop(): Promise<void>
}

/** Questions to one plugin at a time, and those that wait. */
const QUESTIONS_AT_ONCE = 8
const MAX_WAITING_QUESTIONS = 64

const RESTART_MILLISECONDS = [1000, 5000, 30_000, 120_000]
const DISABLE_MILLISECONDS = 5000
const FAILURES_TO_DISABLE = 5
const FAILURE_WINDOW_MILLISECONDS = 600_000

/** The method that receives events without a handler of their own. */
const METHODS: Readonly<Record<string, string>> = { notifier: 'notify', scrobbler: 'scrobble' }

/** A restart cannot help. */
const FINAL_CODES: ReadonlySet<string> = new Set([
  pluginErrors.plugin_changed.definition.code,
  pluginErrors.plugin_isolation_missing.definition.code,
])

export function startRunner(services: RunnerServices, input: RunnerInput): PluginRunner {
  const { db, clock, log } = services
  const { plugin, sandbox, limits = PROCESS_LIMITS, restartMilliseconds = RESTART_MILLISECONDS } = input
  const { failuresToDisable = FAILURES_TO_DISABLE } = input
  const { permissions, type } = plugin.manifest
  const pluginLog = log.child({ plugin: plugin.name })
  const stopping = new AbortController()
  const { signal } = stopping
  const queue = new EventQueue()
  let current: PluginProcess | undefined
  let restarts = 0
  let isDelivering = false
  let storedDeliveries: Promise<void> | undefined
  const answerMilliseconds = type === 'auth-provider' ? limits.signInMilliseconds : limits.questionMilliseconds
  const unavailable = (message: string, cause?: unknown): AppError =>
    pluginErrors.plugin_unavailable({ message: `${plugin.name}: ${message}`, cause })
  const questions = new Semaphore({
    permits: QUESTIONS_AT_ONCE,
    maxWaiting: MAX_WAITING_QUESTIONS,
    refusal: () => unavailable('too many questions wait'),
  })

  async function ask(method: string, question: object, asking?: AbortSignal): Promise<unknown> {
    // Held until the plugin has responded: it may still work on a call that has timed out.
    const release = await questions.acquire(asking)
    const answer = callCurrent(method, question).finally(release)
    try {
      return await untilAborted(answer, asking)
    } catch (error) {
      asking?.throwIfAborted()
      throw error instanceof AppError ? error : unavailable(describeError(error), error)
    }
  }

  async function callCurrent(method: string, question: object): Promise<unknown> {
    if (current === undefined) throw unavailable('its process does not run')
    return current.call('ask', { method, question }, answerMilliseconds)
  }

  async function send({ name, payload, occurredAt }: HookEvent, id?: string): Promise<void> {
    const facts = { ...filterPayloadByPermissions(payload, permissions), timestamp: occurredAt.toISOString() }
    const event = { ...(id === undefined ? {} : { id }), event: name, ...facts }
    if (current === undefined) throw new Error('its process does not run')
    await current.call('event', { method: METHODS[type], event }, limits.callMilliseconds)
  }

  async function deliverQueued(): Promise<void> {
    if (isDelivering) return
    isDelivering = true
    try {
      for (let event = queueHead(); event !== undefined; event = queueHead()) {
        await send(event).catch((error: unknown) => {
          pluginLog.warning({ event: event?.name, reason: describeError(error) }, 'a plugin did not take an event')
        })
      }
    } finally {
      isDelivering = false
    }
  }

  const queueHead = (): HookEvent | undefined => (current === undefined || signal.aborted ? undefined : queue.take())

  async function deliverAllStored(): Promise<void> {
    while (current !== undefined && !signal.aborted) {
      const event = await selectDueEvent(db, { pluginName: plugin.name, now: clock.now() })
      if (event === undefined) return
      try {
        await send(event, event.id)
        await deleteEvent(db, event.id)
      } catch (error) {
        const until = new Date(clock.now().getTime() + eventRetryDelayMilliseconds(event.attempts))
        if (permissions.isDurable) await postponeEvent(db, { id: event.id, until })
        else await deleteEvent(db, event.id)
        pluginLog.warning({ event: event.name, reason: describeError(error) }, 'a plugin did not take a stored event')
      }
    }
  }

  function deliverStored(): Promise<void> {
    storedDeliveries ??= deliverAllStored()
      .catch((error: unknown) => pluginLog.warning({ reason: describeError(error) }, 'reading stored events failed'))
      .finally(() => (storedDeliveries = undefined))
    return storedDeliveries
  }

  /** @returns the reason for the end, and whether another start can help */
  async function runOnce(): Promise<{ reason: string; isFinal: boolean }> {
    try {
      const started = await startPlugin(services, { plugin, sandbox, limits, signal })
      current = started
      // stop() did not see this process when it was called during the start.
      if (signal.aborted) await stopPlugin(started)
      pluginLog.info({ isolation: sandbox.level }, 'a plugin runs')
      void deliverQueued()
      void deliverStored()
      return { reason: await started.ended, isFinal: false }
    } catch (error) {
      return { reason: describeError(error), isFinal: error instanceof AppError && FINAL_CODES.has(error.code) }
    } finally {
      current = undefined
    }
  }

  async function run(): Promise<void> {
    let failures: number[] = []
    while (!signal.aborted) {
      const { reason, isFinal } = await runOnce()
      if (signal.aborted) return
      const now = performance.now()
      failures = [...failures.filter((time) => now - time < FAILURE_WINDOW_MILLISECONDS), now]
      if (isFinal || failures.length >= failuresToDisable) {
        pluginLog.error({ reason, failures: failures.length }, 'a plugin was disabled')
        return disable(reason)
      }
      const wait = restartMilliseconds[Math.min(failures.length, restartMilliseconds.length) - 1] ?? 0
      pluginLog.warning({ reason, failures: failures.length, wait }, 'a plugin failed')
      await pause(wait, undefined, { signal }).catch(() => undefined)
      restarts += 1
    }
  }

  /** Without the database it is tried until that is back, or until this stops: a failing plugin must not look enabled. */
  async function disable(reason: string): Promise<void> {
    while (!signal.aborted) {
      try {
        return await disableUnchanged(db, plugin, { reason, now: clock.now() })
      } catch (error) {
        pluginLog.warning({ reason: describeError(error) }, 'disabling a plugin failed')
        await pause(DISABLE_MILLISECONDS, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  const running = run().catch((error: unknown) => {
    if (!signal.aborted) pluginLog.error({ reason: describeError(error) }, 'running a plugin failed')
  })
  return {
    plugin,
    isRunning: () => current !== undefined,
    memoryBytes: () => current?.memoryBytes() ?? 0,
    restarts: () => restarts,
    ask,
    deliver(event) {
      queue.add(event)
      void deliverQueued()
    },
    deliverStored,
    async stop() {
      stopping.abort()
      if (current !== undefined) await stopPlugin(current)
      await running
      await storedDeliveries
      if (queue.dropped > 0) pluginLog.warning({ count: queue.dropped }, 'events for a plugin were dropped')
    },
  }
}

import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import { compareVersions, releaseVersion, VERSION_PATTERN, type Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { isJsonObject, parseJson } from '../../platform/json/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { readSetting } from '../../platform/settings/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { maintenanceErrors } from '../errors.ts'
import { selectReleaseCheck, upsertReleaseCheck } from './queries.ts'

type Services = { config: Config; db: Database; clock: Clock; outbound: Outbound }

/** What is known about newer releases. */
export type ReleaseStatus = {
  currentVersion: string
  latestVersion: string | null
  isUpdateAvailable: boolean
  isCheckEnabled: boolean
  checkedAt: Date | null
  /** Why the last check failed. */
  error: string | null
}

const DAY_MILLISECONDS = 86_400_000
const CHECK_MILLISECONDS = 3_600_000
const TIMEOUT_MILLISECONDS = 10_000
const MAX_BYTES = 64 * 1024
const MAX_REASON = 500

/** The result of the last check; sends no request. */
export async function readReleaseStatus(services: Pick<Services, 'config' | 'db'>): Promise<ReleaseStatus> {
  const isCheckEnabled = await readSetting(services, 'updates.check_enabled')
  const check = await selectReleaseCheck(services.db)
  const currentVersion = releaseVersion()
  const latestVersion = check?.latestVersion ?? null
  return {
    currentVersion,
    latestVersion,
    isUpdateAvailable: latestVersion !== null && compareVersions(latestVersion, currentVersion) > 0,
    isCheckEnabled,
    checkedAt: check?.checkedAt ?? null,
    error: check?.error ?? null,
  }
}

/**
 * Asks the registry for the newest release. A failure is part of the result.
 * @throws AppError `update_check_off`
 */
export async function checkRelease(services: Services, signal?: AbortSignal): Promise<ReleaseStatus> {
  const { db, clock } = services
  if (!(await readSetting(services, 'updates.check_enabled'))) {
    throw maintenanceErrors.update_check_off({ hint: 'phlix config:set updates.check_enabled on' })
  }
  try {
    await upsertReleaseCheck(db, { latestVersion: await askRegistry(services, signal), error: null, now: clock.now() })
  } catch (error) {
    signal?.throwIfAborted()
    const reason = describeError(error).slice(0, MAX_REASON)
    await upsertReleaseCheck(db, { latestVersion: null, error: reason, now: clock.now() })
  }
  return readReleaseStatus(services)
}

/** While `updates.check_enabled` is on: checks once a day. */
export function watchReleases(services: Services & { log: Logger }): PeriodicTask {
  const { db, clock, log } = services
  return startPeriodicTask({
    intervalMilliseconds: CHECK_MILLISECONDS,
    startsAtOnce: true,
    async work(signal) {
      if (!(await readSetting(services, 'updates.check_enabled'))) return
      const checkedAt = (await selectReleaseCheck(db))?.checkedAt.getTime() ?? 0
      if (Math.abs(clock.now().getTime() - checkedAt) < DAY_MILLISECONDS) return
      const { isUpdateAvailable, latestVersion, error } = await checkRelease(services, signal)
      if (isUpdateAvailable) log.notice({ version: latestVersion }, 'a newer release is available')
      if (error !== null) log.warning({ reason: error }, 'looking for a newer release failed')
    },
    onError: (error) => log.warning({ reason: describeError(error) }, 'looking for a newer release failed'),
  })
}

/** The tag `latest` of the package: https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md. */
async function askRegistry({ config, outbound }: Services, signal: AbortSignal | undefined): Promise<string> {
  const base = config.options['updates.registry_url'].replace(/\/+$/, '')
  const { status, body } = await outbound.send(
    {
      purpose: 'update-check',
      url: `${base}/-/package/phlix/dist-tags`,
      trust: 'configured',
      headers: { accept: 'application/json' },
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      maximumBytes: MAX_BYTES,
    },
    signal,
  )
  if (status === 404) throw new Error('the registry has no release')
  if (status !== 200) throw new Error(`the registry answered with status ${status}`)
  const tags = parseJson(body)
  const latest = isJsonObject(tags) ? tags['latest'] : undefined
  if (typeof latest === 'string' && VERSION_PATTERN.test(latest)) return latest
  throw new Error('the registry names no version')
}

import { describeError } from '../../platform/errors/index.ts'
import { readSetting } from '../../platform/settings/index.ts'
import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import { pluginErrors } from '../errors.ts'
import type { InstallInput, InstallServices } from '../install/install-plugin.ts'
import { addedPermissions } from '../install/permissions.ts'
import { getPlugin } from '../manage-plugins.ts'
import type { Plugin } from '../plugin.ts'
import { describeConflict, findUpdates, wasRolledBack, type PluginUpdate } from './find-updates.ts'
import { updateToOffer } from './install-offer.ts'
import { findOffer } from './offer.ts'

type Confirm = InstallInput['confirm']

/** What an update of several plugins did. */
export type AppliedUpdates = {
  updated: { name: string; from: string; to: string; isEnabled: boolean }[]
  failed: { name: string; problem: string }[]
}

const AUTOMATIC_UPDATE_MILLISECONDS = 6 * 3_600_000

/**
 * Updates a plugin from its catalogue; without a newer version nothing changes.
 * @param input.mayAdopt whether a plugin that came from elsewhere may be updated from any trusted catalogue
 * @returns undefined when it was not confirmed
 * @throws AppError `plugin_not_found`, `plugin.update.no_source`, and the errors of `updatePlugin`
 */
export async function updateFromCatalogue(
  services: InstallServices,
  { name, mayAdopt, confirm }: { name: string; mayAdopt: boolean; confirm: Confirm },
  signal?: AbortSignal,
): Promise<Plugin | undefined> {
  const plugin = await getPlugin(services, name)
  if (plugin.catalogue === null && mayAdopt) {
    const offer = await findOffer(services, (entry) => entry.name === name, signal)
    if ('reason' in offer) throw pluginErrors.plugin_not_listed({ message: `No update: ${offer.reason}.` })
    const conflict = describeConflict(plugin, { key: offer.entry.key, version: offer.version })
    if (conflict !== null) throw pluginErrors.plugin_not_listed({ message: `No update: ${conflict}.` })
    return updateToOffer(services, { plugin, offer, confirm }, signal)
  }
  const update = (await findUpdates(services, signal)).find((one) => one.plugin.name === name)
  if (update?.offer !== undefined) {
    return updateToOffer(services, { plugin: update.plugin, offer: update.offer, confirm }, signal)
  }
  if (update !== undefined && update.isCheckable && update.problem === null) return plugin
  const message = update?.problem ?? 'It was not installed from a catalogue.'
  throw pluginErrors.plugin_not_listed({ message })
}

/**
 * Updates all plugins whose catalogues offer a newer version, one after the other. One that fails does not affect the others.
 * @param input.isAutomatic leaves out those that ask for more permissions, and those from which an administrator has returned; it
 * ends when `plugins.auto_update` is off
 */
export async function applyUpdates(
  services: InstallServices,
  { isAutomatic }: { isAutomatic: boolean },
  signal?: AbortSignal,
): Promise<AppliedUpdates> {
  const applied: AppliedUpdates = { updated: [], failed: [] }
  const rules: UpdateRules = {
    isStillWanted: async () => !isAutomatic || readSetting(services, 'plugins.auto_update'),
    confirm: async ({ version, installed }) =>
      !isAutomatic || addedPermissions(installed?.manifest, version.manifest).length === 0,
  }
  for (const update of await findUpdates(services, signal)) {
    signal?.throwIfAborted()
    if (update.problem !== null) applied.failed.push({ name: update.plugin.name, problem: update.problem })
    if (update.offer === undefined || (isAutomatic && wasRolledBack(update))) continue
    if (!(await rules.isStillWanted())) break
    await applyOne(services, { update, rules, applied }, signal)
  }
  return applied
}

type UpdateRules = { isStillWanted: () => Promise<boolean>; confirm: Confirm }

async function applyOne(
  services: InstallServices,
  { update, rules, applied }: { update: PluginUpdate; rules: UpdateRules; applied: AppliedUpdates },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { plugin, offer } = update
  if (offer === undefined) return
  const { name, manifest } = plugin
  try {
    const updated = await updateToOffer(services, { plugin, offer, ...rules }, signal)
    if (updated === undefined) {
      const problem = `version ${offer.version.version} asks for more permissions and waits for an administrator`
      applied.failed.push({ name, problem })
    } else {
      applied.updated.push({
        name,
        from: manifest.version,
        to: updated.manifest.version,
        isEnabled: updated.isEnabled,
      })
    }
  } catch (error) {
    signal?.throwIfAborted()
    applied.failed.push({ name, problem: describeError(error) })
  }
}

/** While `plugins.auto_update` is on: updates the plugins at the start and every six hours. */
export function watchPluginUpdates(services: InstallServices): PeriodicTask {
  const log = services.log.child({ domain: 'plugins' })
  return startPeriodicTask({
    intervalMilliseconds: AUTOMATIC_UPDATE_MILLISECONDS,
    startsAtOnce: true,
    async work(signal) {
      if (!(await readSetting(services, 'plugins.auto_update'))) return
      const { updated, failed } = await applyUpdates(services, { isAutomatic: true }, signal)
      for (const { name, from, to } of updated) log.notice({ plugin: name, from, to }, 'updated a plugin')
      for (const { name, problem } of failed) log.warning({ plugin: name, reason: problem }, 'no update of a plugin')
    },
    onError: (error) => log.warning({ reason: describeError(error) }, 'looking for updates of plugins failed'),
  })
}

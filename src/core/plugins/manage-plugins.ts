import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { pluginErrors } from './errors.ts'
import { changeSettings, missingSettings, type SettingValues } from './manifest/plugin-settings.ts'
import { isRunnable } from './manifest/plugin-types.ts'
import type { Plugin } from './plugin.ts'
import { lockPlugin, selectPlugin, selectPlugins, updateSettings, updateState } from './queries.ts'

/** All installed plugins, by name. */
export async function listPlugins({ db }: { db: Connection }): Promise<readonly Plugin[]> {
  return selectPlugins(db)
}

/** @throws AppError `plugin_not_found` */
export async function getPlugin({ db }: { db: Connection }, name: string): Promise<Plugin> {
  const plugin = name.isWellFormed() && !name.includes('\0') ? await selectPlugin(db, name) : undefined
  if (plugin === undefined) throw pluginErrors.plugin_not_found()
  return plugin
}

/**
 * Starts the plugin once as a test and enables it if the start succeeded. A running server then starts it within seconds.
 * @param tryStart starts and stops it once; throws the reason why it does not start
 * @throws AppError `plugin_not_found`, `plugin_type_unsupported`, `plugin_settings_invalid`, `plugin_busy` after a change in the meantime,
 * and the errors of `tryStart`
 */
export async function enablePlugin(
  { db, clock }: { db: Database; clock: Clock },
  name: string,
  tryStart: (plugin: Plugin) => Promise<void>,
): Promise<Plugin> {
  const plugin = await getPlugin({ db }, name)
  if (!isRunnable(plugin.manifest.type)) throw pluginErrors.plugin_type_unsupported()
  const missing = missingSettings(plugin.manifest.settings, plugin.settings)
  if (missing.length > 0) throw settingsInvalid(name, Object.fromEntries(missing.map((key) => [key, 'is required'])))
  await tryStart(plugin)
  const change = { name, updatedAt: plugin.updatedAt, isEnabled: true, disabledReason: null, now: clock.now() }
  // The plugin was updated or disabled during the test.
  if (!(await updateState(db, change))) throw pluginErrors.plugin_busy()
  return getPlugin({ db }, name)
}

/** Disables the plugin, even if it was changed concurrently. @throws AppError `plugin_not_found` */
export async function disablePlugin({ db, clock }: { db: Database; clock: Clock }, name: string): Promise<Plugin> {
  await getPlugin({ db }, name)
  await updateState(db, { name, isEnabled: false, disabledReason: null, now: clock.now() })
  return getPlugin({ db }, name)
}

/**
 * Changes settings of a plugin: null removes a value, `***` keeps a secret. An enabled plugin is restarted with them.
 * @throws AppError `plugin_not_found`, `plugin.settings.validation_failed`
 */
export async function changePluginSettings(
  { db, clock }: { db: Database; clock: Clock },
  { name, changes }: { name: string; changes: SettingValues },
): Promise<Plugin> {
  await getPlugin({ db }, name)
  await db.transaction(async (connection) => {
    const plugin = await lockPlugin(connection, name)
    if (plugin === undefined) throw pluginErrors.plugin_not_found()
    const result = changeSettings(plugin.manifest.settings, { current: plugin.settings, changes })
    if ('problems' in result) throw settingsInvalid(name, result.problems)
    await updateSettings(connection, { name, settings: result.values, now: clock.now() })
  })
  return getPlugin({ db }, name)
}

function settingsInvalid(name: string, errors: Readonly<Record<string, string>>): Error {
  const message = Object.entries(errors)
    .map(([key, reason]) => `${key} ${reason}`)
    .join('; ')
  return pluginErrors.plugin_settings_invalid({
    message,
    details: { errors },
    hint: `phlix plugin:info ${name} lists the settings`,
  })
}

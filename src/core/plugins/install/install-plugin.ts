import { compareVersions } from '../../platform/config/index.ts'
import { removeProviderLinks } from '../../accounts/index.ts'
import { removeRevealedSecrets, type SettingValues } from '../manifest/plugin-settings.ts'
import { isRunnable } from '../manifest/plugin-types.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { Semaphore } from '../../platform/concurrency/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { checkFiles } from '../archive/check-files.ts'
import { AppError } from '../../platform/errors/index.ts'
import { pluginErrors } from '../errors.ts'
import type { StartServices } from '../host/start-plugin.ts'
import { testPlugin } from '../host/test-plugin.ts'
import type { Plugin, PluginVersion } from '../plugin.ts'
import {
  deletePlugin,
  insertPlugin,
  selectPlugin,
  selectPlugins,
  updateVersion,
  type VersionChange,
} from '../queries.ts'
import { getPlugin } from '../manage-plugins.ts'
import { addedPermissions } from './permissions.ts'
import { makeStaging, moveToPlace, removeFolder, removeLeftovers, versionFolder } from '../plugin-folders.ts'
import type { StagedPlugin } from './stage-plugin.ts'
import { stageSource } from './stage-source.ts'
import type { ArchivePin } from './verify-origin.ts'
import { withChangesLock } from './with-changes-lock.ts'

/** What every change of the installed plugins needs. */
type ChangeServices = { config: Config; db: Database; clock: Clock; connectionUri: string }

/** What a change needs that starts a version once before it is used. */
type ReplaceServices = ChangeServices & StartServices

export type InstallServices = ReplaceServices & { pluginInstallations: Semaphore }

type UninstallServices = ChangeServices & { events: Pick<EventBus, 'publish'> }

export type InstallInput = {
  /** An https address, a file address, or a path. */
  source: string
  pin: ArchivePin
  /** The catalogue that lists it, and what it says that the archive is. */
  listing?: { catalogue: string; name: string; version: string }
  /** Called under the lock of plugin changes. False if an earlier decision is no longer valid. */
  isStillWanted?: () => Promise<boolean>
  /** Asked with the checked plugin before anything is stored, and without a lock; false ends the installation. */
  confirm: (found: FoundPlugin) => Promise<boolean>
}

/** A checked plugin that is not installed yet. */
export type FoundPlugin = {
  version: PluginVersion
  /** Permissions beyond those of the installed version; undefined without one. */
  installed: Plugin | undefined
}

/**
 * Installs a plugin, disabled. An archive from the network must be pinned by its hash or signed. The archive of an installed plugin whose
 * files were changed restores them.
 * @returns undefined when it was not confirmed
 * @throws AppError `plugin.url.invalid_scheme`, `plugin.install.failed`, `plugin_exists`, `plugin_busy`, `outbound_…`
 */
export async function installPlugin(
  services: InstallServices,
  input: InstallInput,
  signal?: AbortSignal,
): Promise<Plugin | undefined> {
  const { db, clock } = services
  return withStagedPlugin(services, input, signal, {
    needsConfirmation: ({ installed }) => installed === undefined,
    async apply({ staged, installed }) {
      if (installed === undefined) return place(services, staged, () => insertPlugin(db, staged.version, clock.now()))
      if (!(await restoreFiles(services, staged, installed))) {
        const { name } = installed
        throw pluginErrors.plugin_exists({
          message: `${name} ${installed.manifest.version} is installed already.`,
          hint: `phlix plugin:update ${name} --from ARCHIVE`,
        })
      }
      return installed
    },
  })
}

/**
 * Replaces an installed plugin by the archive of a source and keeps the old version. It stays enabled only if it needs no new permission.
 * The new version is then started once; if that fails, the old version stays in use. If the installed archive was checked with a key, the
 * new one must be signed with the same key, unless the pin contains another key.
 * @param input.basis the plugin for which the update was chosen; `plugin_busy` if it was changed since. Default: only the version,
 * catalogue and key must stay as they are now
 * @throws AppError `plugin_not_found`, `plugin_start_failed`, `plugin_isolation_missing`, and the errors of `installPlugin`
 */
export async function updatePlugin(
  services: InstallServices,
  { name, basis, ...input }: InstallInput & { name: string; basis?: Plugin },
  signal?: AbortSignal,
): Promise<Plugin | undefined> {
  const { clock } = services
  const before = await getPlugin(services, name)
  if (basis !== undefined && !isUnchanged(basis, before)) throw pluginErrors.plugin_busy()
  const { authorKey } = before
  const pin = { ...input.pin, key: input.pin.key ?? authorKey ?? undefined }
  return withStagedPlugin(services, { ...input, pin }, signal, {
    isUnchanged: (current) => (basis === undefined ? hasSameOrigin(before, current) : isUnchanged(basis, current)),
    needsConfirmation({ version, installed }) {
      checkSuccessor(version, installed, name)
      return version.folder !== installed?.folder
    },
    async apply({ staged, installed }) {
      const { version } = staged
      checkSuccessor(version, installed, name)
      if (version.folder === installed.folder) {
        await restoreFiles(services, staged, installed)
        await adopt(services, installed, version)
        return getPlugin(services, name)
      }
      const change = {
        version,
        previous: versionOf(installed),
        settings: settingsFor(installed, version),
        updatedAt: installed.updatedAt,
        isEnabled: installed.isEnabled && mayStayEnabled(installed.manifest, version.manifest),
        now: clock.now(),
      }
      return place(services, staged, () => replaceVersion(services, installed, change))
    },
  })
}

/** @throws AppError `plugin.install.failed` for an archive of another plugin or of an older version */
function checkSuccessor(
  { manifest }: PluginVersion,
  installed: Plugin | undefined,
  name: string,
): asserts installed is Plugin {
  if (installed?.name !== name) {
    throw pluginErrors.plugin_install_failed({ message: `The archive is of ${manifest.name}, not of ${name}.` })
  }
  if (compareVersions(manifest.version, installed.manifest.version) < 0) {
    throw pluginErrors.plugin_install_failed({
      message: `The archive has version ${manifest.version}, older than ${installed.manifest.version}.`,
      hint: 'plugin:update --rollback returns to the previous version',
    })
  }
}

/**
 * Returns to the version before the last update; that version becomes the previous one. It stays enabled, and is started once, as after an
 * update.
 * @throws AppError `plugin_not_found`, `plugin_no_old_version`, `plugin_busy`, `plugin_changed`, `plugin_start_failed`,
 * `plugin_isolation_missing`
 */
export async function rollBackPlugin(services: ReplaceServices, name: string): Promise<Plugin> {
  return withChangesLock(services, async () => {
    const plugin = await getPlugin(services, name)
    if (plugin.previous === null) throw pluginErrors.plugin_no_old_version()
    await replaceVersion(services, plugin, {
      version: plugin.previous,
      previous: versionOf(plugin),
      settings: settingsFor(plugin, plugin.previous),
      isEnabled: plugin.isEnabled && mayStayEnabled(plugin.manifest, plugin.previous.manifest),
      updatedAt: plugin.updatedAt,
      now: services.clock.now(),
    })
    return getPlugin(services, name)
  })
}

/**
 * Removes a plugin with its settings, values and files, and for an auth-provider the links of accounts with the sessions of these accounts.
 * The row goes first: files without a row are removed by the next change.
 * @throws AppError `plugin_not_found`, `plugin_busy`
 */
export async function uninstallPlugin(services: UninstallServices, name: string): Promise<Plugin> {
  return withChangesLock(services, async () => {
    const plugin = await getPlugin(services, name)
    const accountIds = await services.db.transaction(async (connection) => {
      await deletePlugin(connection, name)
      return removeProviderLinks(connection, { provider: name, now: services.clock.now() })
    })
    for (const accountId of accountIds) services.events.publish('account.changed', { accountId })
    await removeLeftovers(services.config.dataDirectory, await selectPlugins(services.db))
    return plugin
  })
}

type Change = {
  /**
   * Called under the lock. Whether the plugin for which the change was chosen is still installed in that state. Default: the same version.
   */
  isUnchanged?: (current: Plugin | undefined) => boolean
  /** Whether somebody must confirm it. Called without the lock; may throw the reason why the archive cannot be used. */
  needsConfirmation: (found: FoundPlugin) => boolean
  /** Called under the lock. */
  apply: (found: { staged: StagedPlugin; installed: Plugin | undefined }) => Promise<Plugin>
}

async function withStagedPlugin(
  services: InstallServices,
  { source, pin, listing, isStillWanted, confirm }: InstallInput,
  signal: AbortSignal | undefined,
  { isUnchanged: isExpected, needsConfirmation, apply }: Change,
): Promise<Plugin | undefined> {
  const { db, config } = services
  const staging = await makeStaging(config.dataDirectory)
  try {
    const staged = await services.pluginInstallations.run(
      async () => stageSource(services, { source, pin, staging }, signal),
      signal,
    )
    const version: PluginVersion = { ...staged.version, catalogue: listing?.catalogue ?? null }
    if (listing !== undefined) checkListing(version, listing)
    const installed = await selectPlugin(db, version.manifest.name)
    // Others can install and remove plugins while the user decides.
    if (needsConfirmation({ version, installed }) && !(await confirm({ version, installed }))) return undefined
    return await withChangesLock(services, async () => {
      await removeLeftovers(config.dataDirectory, await selectPlugins(db))
      const current = await selectPlugin(db, version.manifest.name)
      if (!(isExpected?.(current) ?? hasSameOrigin(installed, current))) throw pluginErrors.plugin_busy()
      if (isStillWanted !== undefined && !(await isStillWanted())) throw pluginErrors.plugin_busy()
      return apply({ staged: { ...staged, version }, installed: current })
    })
  } finally {
    await removeFolder(staging)
  }
}

/** Whether a plugin is as it was: version, origin, key, settings and state, of which each change has another time. */
function isUnchanged(before: Plugin, now: Plugin | undefined): boolean {
  return hasSameOrigin(before, now) && before.updatedAt.getTime() === now?.updatedAt.getTime()
}

/** Whether the version, the catalogue and the key of the author are the same. Settings and state may have changed. */
function hasSameOrigin(before: Plugin | undefined, now: Plugin | undefined): boolean {
  return before?.folder === now?.folder && before?.catalogue === now?.catalogue && before?.authorKey === now?.authorKey
}

/** @throws AppError `plugin.install.failed` */
function checkListing(
  { manifest, catalogue }: PluginVersion,
  { name, version }: { name: string; version: string },
): void {
  if (manifest.name === name && manifest.version === version) return
  const message = `The archive is of ${manifest.name} ${manifest.version}; ${catalogue} says ${name} ${version}.`
  throw pluginErrors.plugin_install_failed({ message })
}

/** Moves the files, then writes the row: killed in between, the next change removes the files. */
async function place(
  services: ChangeServices,
  { folder, version }: StagedPlugin,
  writeRow: () => Promise<void>,
): Promise<Plugin> {
  const { db, config } = services
  await moveToPlace(folder, versionFolder(config.dataDirectory, version))
  try {
    await writeRow()
  } finally {
    await removeLeftovers(config.dataDirectory, await selectPlugins(db))
  }
  return getPlugin(services, version.manifest.name)
}

/** Restores changed files from the archive that is installed. @returns false if there is nothing to restore */
async function restoreFiles({ config }: ChangeServices, staged: StagedPlugin, installed: Plugin): Promise<boolean> {
  if (staged.version.folder !== installed.folder) return false
  const place = versionFolder(config.dataDirectory, installed)
  const isIntact = await checkFiles(place, installed.fileHashes).then(
    () => true,
    () => false,
  )
  if (!isIntact) await moveToPlace(staged.folder, place)
  return !isIntact
}

/** Notes the catalogue of an installed version that came from elsewhere. */
async function adopt({ db, clock }: ChangeServices, installed: Plugin, { catalogue }: PluginVersion): Promise<void> {
  if (catalogue === undefined || catalogue === null || catalogue === installed.catalogue) return
  const { previous, settings, isEnabled, updatedAt } = installed
  const version = { ...versionOf(installed), catalogue }
  await changeVersion(db, { version, previous, settings, isEnabled, updatedAt, now: clock.now() })
}

/**
 * Makes another version the one that is used. If the plugin stays enabled, the version is started once before.
 * @throws AppError `plugin_busy`, and the errors of `testPlugin`; nothing is changed then
 */
async function replaceVersion(services: ReplaceServices, installed: Plugin, change: VersionChange): Promise<void> {
  const { version, settings, isEnabled } = change
  if (isEnabled) {
    const candidate = { ...installed, ...version, settings, catalogue: version.catalogue ?? null }
    await testPlugin(services, candidate).catch((error: unknown) => {
      throw isStartFailure(error) ? startFailure(installed, version, error) : error
    })
  }
  await changeVersion(services.db, change)
}

function isStartFailure(error: unknown): error is AppError {
  return error instanceof AppError && error.code === pluginErrors.plugin_start_failed.definition.code
}

function startFailure({ name, manifest }: Plugin, version: PluginVersion, error: AppError): AppError {
  const message = `Version ${version.manifest.version} does not start, so that ${manifest.version} stays in use: ${error.message}`
  return pluginErrors.plugin_start_failed({
    message,
    hint: `phlix plugin:disable ${name}: then the version is stored without a start, for example to change its settings`,
    cause: error,
  })
}

/** @throws AppError `plugin_busy` if settings or state were changed since the row was read */
async function changeVersion(db: Database, change: VersionChange): Promise<void> {
  if (!(await updateVersion(db, change))) throw pluginErrors.plugin_busy()
}

function settingsFor({ manifest, settings }: Plugin, version: PluginVersion): SettingValues {
  return removeRevealedSecrets({ before: manifest.settings, after: version.manifest.settings }, settings)
}

function mayStayEnabled(before: Manifest, after: Manifest): boolean {
  return isRunnable(after.type) && addedPermissions(before, after).length === 0
}

function versionOf(plugin: Plugin): PluginVersion {
  const { manifest, folder, fileHashes, archiveSha256, source, authorKey, catalogue } = plugin
  return { manifest, folder, fileHashes, archiveSha256, source, authorKey, catalogue }
}

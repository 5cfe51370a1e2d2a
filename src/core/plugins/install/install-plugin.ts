import { compareVersions } from '../../platform/config/index.ts'
import { rmSync } from 'node:fs'
import { removeProviderLinks } from '../../accounts/index.ts'
import { keptSettings, type SettingValues } from '../manifest/plugin-settings.ts'
import { isRunnable, type PluginType } from '../manifest/plugin-types.ts'
import { type Manifest } from '../manifest/manifest.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { checkFiles } from '../archive/check-files.ts'
import { pluginErrors } from '../errors.ts'
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
import { makeStaging, moveToPlace, removeLeftovers, versionFolder } from './plugin-folders.ts'
import { readSource, readSourceBytes, withoutQuery } from './read-source.ts'
import { stagePlugin, type Staged } from './stage-plugin.ts'
import { verifyOrigin, type Pin } from './verify-origin.ts'
import { withChangesLock } from './with-changes-lock.ts'

export type InstallServices = { config: Config; db: Database; clock: Clock; connectionUri: string; outbound: Outbound }

type UninstallServices = Omit<InstallServices, 'outbound'> & { events: Pick<EventBus, 'publish'> }

export type InstallInput = {
  /** An https address, a file address, or a path. */
  source: string
  pin: Pin
  /** The catalogue that lists it, and what it says that the archive is. */
  listing?: { catalogue: string; name: string; version: string }
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
    isQuestion: ({ installed }) => installed === undefined,
    async apply({ staged, installed }) {
      if (installed === undefined) return place(services, staged, () => insertPlugin(db, staged.version, clock.now()))
      if (!(await restoreFiles(services, staged, installed))) throw pluginErrors.plugin_exists()
      return installed
    },
  })
}

/**
 * Replaces an installed plugin by the archive of a source and keeps the old version. It stays enabled only if it asks for no permission that
 * the old version did not have. An archive that was checked with a key needs the same key, unless the pin has another.
 * @throws AppError `plugin_not_found`, and the errors of `installPlugin`
 */
export async function updatePlugin(
  services: InstallServices,
  { name, ...input }: InstallInput & { name: string },
  signal?: AbortSignal,
): Promise<Plugin | undefined> {
  const { db, clock } = services
  const { authorKey } = await getPlugin(services, name)
  const pin = { ...input.pin, key: input.pin.key ?? authorKey ?? undefined }
  return withStagedPlugin(services, { ...input, pin }, signal, {
    isQuestion({ version, installed }) {
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
      return place(services, staged, () => changeVersion(db, change))
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
 * Returns to the version before the last update; that version becomes the previous one. It stays enabled as after an update.
 * @throws AppError `plugin_not_found`, `plugin_no_old_version`, `plugin_busy`
 */
export async function rollBackPlugin(services: InstallServices, name: string): Promise<Plugin> {
  return withChangesLock(services, async () => {
    const plugin = await getPlugin(services, name)
    if (plugin.previous === null) throw pluginErrors.plugin_no_old_version()
    await changeVersion(services.db, {
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
    removeLeftovers(services.config.dataDirectory, await selectPlugins(services.db))
    return plugin
  })
}

type Asking = Pick<Manifest, 'type' | 'permissions'>

/** What the second version may do beyond the first, in words. */
export function addedPermissions(before: Asking | undefined, after: Asking): string[] {
  const known = new Set(before === undefined ? [] : describePermissions(before))
  return describePermissions(after).filter((line) => !known.has(line))
}

/** What a plugin gets to know by its type alone. */
const KNOWS: Readonly<Partial<Record<PluginType, string>>> = {
  'auth-provider':
    'see the names and passwords of sign-ins whose name no account has, also mistyped ones, and of accounts that are linked to it, if the ' +
    'local password is wrong',
}

/** What a plugin may do and what it sees, each as a line for people. */
export function describePermissions({ type, permissions }: Asking): string[] {
  const { hosts, isPrivateNetworkAllowed, areUserDetailsAllowed, isDurable } = permissions
  return [
    ...(KNOWS[type] === undefined ? [] : [KNOWS[type]]),
    ...hosts.map((host) => (host === '*' ? 'send requests to any server' : `send requests to ${host}`)),
    ...(isPrivateNetworkAllowed ? ['send them to private networks and this machine too'] : []),
    ...(areUserDetailsAllowed ? ['see user names, e-mail addresses and network addresses'] : []),
    ...(isDurable ? ['have events stored until it has received them'] : []),
  ]
}

type Change = {
  /** Whether somebody must confirm it. Called without the lock; may throw the reason why the archive cannot be used. */
  isQuestion: (found: FoundPlugin) => boolean
  /** Called under the lock. */
  apply: (found: { staged: Staged; installed: Plugin | undefined }) => Promise<Plugin>
}

async function withStagedPlugin(
  services: InstallServices,
  { source: text, pin, listing, confirm }: InstallInput,
  signal: AbortSignal | undefined,
  { isQuestion, apply }: Change,
): Promise<Plugin | undefined> {
  const { db, config } = services
  const source = readSource(text)
  if (source.kind === 'https' && pin.sha256 === undefined && pin.key === undefined) {
    const message = 'A plugin from the network must be pinned by its SHA-256 or signed.'
    throw pluginErrors.plugin_install_failed({ message, hint: 'give --sha256 or --key' })
  }
  const bytes = await readSourceBytes(services, source, { signal })
  const signature =
    pin.key === undefined ? undefined : await readSourceBytes(services, source, { suffix: '.sig', signal })
  verifyOrigin(bytes, pin, signature === undefined ? undefined : Buffer.from(signature).toString('utf8'))
  const staging = makeStaging(config.dataDirectory)
  try {
    const staged = await stagePlugin(bytes, { staging, source: withoutQuery(source), authorKey: pin.key ?? null })
    const version: PluginVersion = { ...staged.version, catalogue: listing?.catalogue ?? null }
    if (listing !== undefined) checkListing(version, listing)
    const installed = await selectPlugin(db, version.manifest.name)
    // Others can install and remove plugins while somebody thinks about the question.
    if (isQuestion({ version, installed }) && !(await confirm({ version, installed }))) return undefined
    return await withChangesLock(services, async () => {
      removeLeftovers(config.dataDirectory, await selectPlugins(db))
      const current = await selectPlugin(db, version.manifest.name)
      if (current?.folder !== installed?.folder) throw pluginErrors.plugin_busy()
      return apply({ staged: { ...staged, version }, installed: current })
    })
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
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
  services: InstallServices,
  { folder, version }: Staged,
  writeRow: () => Promise<void>,
): Promise<Plugin> {
  const { db, config } = services
  moveToPlace(folder, versionFolder(config.dataDirectory, version))
  await writeRow()
  removeLeftovers(config.dataDirectory, await selectPlugins(db))
  return getPlugin(services, version.manifest.name)
}

/** Restores changed files from the archive that is installed. @returns false if there is nothing to restore */
async function restoreFiles({ config }: InstallServices, staged: Staged, installed: Plugin): Promise<boolean> {
  if (staged.version.folder !== installed.folder) return false
  const place = versionFolder(config.dataDirectory, installed)
  const isIntact = await checkFiles(place, installed.fileHashes).then(
    () => true,
    () => false,
  )
  if (!isIntact) moveToPlace(staged.folder, place)
  return !isIntact
}

/** Notes the catalogue of an installed version that came from elsewhere. */
async function adopt({ db, clock }: InstallServices, installed: Plugin, { catalogue }: PluginVersion): Promise<void> {
  if (catalogue === undefined || catalogue === null || catalogue === installed.catalogue) return
  const { previous, settings, isEnabled, updatedAt } = installed
  const version = { ...versionOf(installed), catalogue }
  await changeVersion(db, { version, previous, settings, isEnabled, updatedAt, now: clock.now() })
}

/** @throws AppError `plugin_busy` if settings or state were changed since the row was read */
async function changeVersion(db: Database, change: VersionChange): Promise<void> {
  if (!(await updateVersion(db, change))) throw pluginErrors.plugin_busy()
}

function settingsFor({ manifest, settings }: Plugin, version: PluginVersion): SettingValues {
  return keptSettings({ before: manifest.settings, after: version.manifest.settings }, settings)
}

function mayStayEnabled(before: Manifest, after: Manifest): boolean {
  return isRunnable(after.type) && addedPermissions(before, after).length === 0
}

function versionOf(plugin: Plugin): PluginVersion {
  const { manifest, folder, fileHashes, archiveSha256, source, authorKey, catalogue } = plugin
  return { manifest, folder, fileHashes, archiveSha256, source, authorKey, catalogue }
}

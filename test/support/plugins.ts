import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import {
  changePluginSettings,
  enablePlugin,
  installPlugin,
  testPlugin,
  type Plugin,
} from '../../src/core/plugins/index.ts'
import { updateState } from '../../src/core/plugins/queries.ts'
import type { SigningServices } from '../../src/core/services.ts'
import { pluginArchive, type PluginFields } from './plugin-archives.ts'
import { waitUntil } from './wait-until.ts'

const SAMPLES = join(import.meta.dirname, '..', '..', 'contrib', 'plugins')

type InstallServices = Pick<
  SigningServices,
  'config' | 'db' | 'clock' | 'log' | 'connectionUri' | 'outbound' | 'pluginInstallations'
>

/** Installs a plugin with a source from a file; with `isEnabled` it is enabled without the trial start. */
export async function installSource(
  t: Test,
  services: InstallServices,
  { source, isEnabled = false, ...fields }: PluginFields & { source: string; isEnabled?: boolean },
): Promise<Plugin> {
  const path = join(t.testdir(), 'plugin.tgz')
  await writeFile(path, await pluginArchive(source, fields))
  const plugin = await installPlugin(services, { source: path, pin: {}, confirm: async () => true })
  if (plugin === undefined) throw new Error('it was confirmed')
  if (isEnabled) {
    await updateState(services.db, { name: plugin.name, isEnabled, disabledReason: null, now: services.clock.now() })
  }
  return plugin
}

/** Installs, configures and enables a sample of contrib/plugins, as an administrator does, and waits until its process runs. */
export async function enableSample(
  t: Test,
  services: SigningServices,
  { name, settings, manifest = {} }: { name: string; settings: Record<string, unknown>; manifest?: PluginFields },
): Promise<void> {
  const fields = JSON.parse(readFileSync(join(SAMPLES, name, 'plugin.json'), 'utf8')) as Record<string, unknown>
  const source = readFileSync(join(SAMPLES, name, 'index.mjs'), 'utf8')
  await installSource(t, services, { ...fields, ...manifest, source })
  await changePluginSettings(services, { name, changes: settings })
  await enablePlugin(services, name, (plugin) => testPlugin(services, plugin))
  await waitForPlugin(services, name)
}

/** Waits until the host runs an enabled plugin as its row says now. */
export async function waitForPlugin({ plugins }: Pick<SigningServices, 'plugins'>, name: string): Promise<void> {
  await plugins.refresh()
  await waitUntil(`${name} runs`, () => plugins.find(name)?.isRunning() === true)
}

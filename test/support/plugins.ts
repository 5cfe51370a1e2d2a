import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { installPlugin, type Plugin } from '../../src/core/plugins/index.ts'
import { updateState } from '../../src/core/plugins/queries.ts'
import type { SigningServices } from '../../src/core/services.ts'
import { pluginArchive, type PluginFields } from './plugin-archives.ts'

type InstallServices = Pick<SigningServices, 'config' | 'db' | 'clock' | 'connectionUri' | 'outbound'>

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

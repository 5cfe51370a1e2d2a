import type { Plugin } from '../plugin.ts'
import { findPluginSandbox } from './find-plugin-sandbox.ts'
import { testPluginStart, type StartServices } from './start-plugin.ts'

/**
 * Starts a plugin once in its sandbox, and stops it again.
 * @throws AppError `plugin_changed`, `plugin_isolation_missing`, `plugin_start_failed` with the reason
 */
export async function testPlugin(services: StartServices, plugin: Plugin): Promise<void> {
  await testPluginStart(services, { plugin, sandbox: await findPluginSandbox(services) })
}

export { redactedSettings } from './manifest/plugin-settings.ts'
export { lockEnabledPlugin } from './queries.ts'
export { examinePlugins, type PluginProblem } from './examine-plugins.ts'
export type { Plugin } from './plugin.ts'
export { changePluginSettings, disablePlugin, enablePlugin, getPlugin, listPlugins } from './manage-plugins.ts'
export {
  addedPermissions,
  describePermissions,
  installPlugin,
  rollBackPlugin,
  uninstallPlugin,
  updatePlugin,
  type FoundPlugin,
} from './install/install-plugin.ts'
export { testPlugin } from './host/test-plugin.ts'
export { createPluginHost, type PluginHost } from './host/plugin-host.ts'
export { findPluginSandbox } from './host/find-plugin-sandbox.ts'
export { writeTemplate } from './template/write-template.ts'

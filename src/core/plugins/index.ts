export { redactedSettings } from './manifest/plugin-settings.ts'
export { lockEnabledPlugin } from './queries.ts'
export { examinePlugins, type PluginProblem } from './examine-plugins.ts'
export type { Plugin } from './plugin.ts'
export { changePluginSettings, disablePlugin, enablePlugin, getPlugin, listPlugins } from './manage-plugins.ts'
export { createInstallationPermits } from './install/installation-permits.ts'
export { addedPermissions, describePermissions } from './install/permissions.ts'
export {
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
export type { CatalogueSource } from './catalogue/catalogue.ts'
export { addSource, listSources, removeSource, trustSource } from './catalogue/sources.ts'
export { listCatalogues, type ListedCatalogue, type ListedPlugin } from './catalogue/list-catalogues.ts'
export { installByAddress, installFromCatalogue } from './catalogue/install-offer.ts'
export { findUpdates, type PluginUpdate } from './catalogue/find-updates.ts'
export { CHANNEL_OPTIONS, changeChannel } from './catalogue/channels.ts'
export {
  applyUpdates,
  updateFromCatalogue,
  watchPluginUpdates,
  type AppliedUpdates,
} from './catalogue/apply-updates.ts'

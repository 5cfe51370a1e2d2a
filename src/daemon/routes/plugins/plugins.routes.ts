import {
  changePluginSettings,
  disablePlugin,
  enablePlugin,
  getPlugin,
  listPlugins,
  redactedSettings,
  testPlugin,
  uninstallPlugin,
  type Plugin,
} from '../../../core/plugins/index.ts'
import { pluginDetailView, pluginView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { OnePlugin, PluginList, PluginParameters, SettingsBody, TestReply } from './plugins.schemas.ts'

/** Installed plugins. */
export const pluginRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: PluginList } },
    handler: async () => ({ plugins: (await listPlugins(services)).map(pluginView) }),
  })

  app.route({
    method: 'GET',
    url: '/:name',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: PluginParameters, response: { 200: OnePlugin } },
    handler: async ({ params }) => onePlugin(await getPlugin(services, params.name)),
  })

  app.route({
    method: 'POST',
    url: '/:name/enable',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: PluginParameters, response: { 200: OnePlugin } },
    handler: async ({ params }) =>
      onePlugin(await enablePlugin(services, params.name, (plugin) => testPlugin(services, plugin))),
  })

  app.route({
    method: 'POST',
    url: '/:name/disable',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: PluginParameters, response: { 200: OnePlugin } },
    handler: async ({ params }) => onePlugin(await disablePlugin(services, params.name)),
  })

  app.route({
    method: 'POST',
    url: '/:name/test',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: PluginParameters, response: { 200: TestReply } },
    handler: async ({ params }) => {
      await testPlugin(services, await getPlugin(services, params.name))
      return { success: true }
    },
  })

  app.route({
    method: 'PUT',
    url: '/:name/settings',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: PluginParameters, body: SettingsBody, response: { 200: OnePlugin } },
    handler: async ({ params, body }) =>
      onePlugin(await changePluginSettings(services, { name: params.name, changes: body.settings })),
  })

  app.route({
    method: 'DELETE',
    url: '/:name',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: PluginParameters },
    handler: async ({ params }, reply) => {
      await uninstallPlugin(services, params.name)
      return reply.code(204).send()
    },
  })
}

/** A plugin without its secrets. */
export function onePlugin(plugin: Plugin) {
  return { plugin: pluginDetailView(plugin, redactedSettings(plugin.manifest.settings, plugin.settings)) }
}

import {
  addSource,
  applyUpdates,
  CHANNEL_OPTIONS,
  changeChannel,
  findUpdates,
  installByAddress,
  listCatalogues,
  removeSource,
  updateFromCatalogue,
  type CatalogueSource,
} from '../../../core/plugins/index.ts'
import { changeSettings, readSetting } from '../../../core/platform/settings/index.ts'
import {
  appliedUpdatesView,
  pluginCatalogueErrorsView,
  cataloguePluginView,
  pluginUpdateView,
} from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import {
  AppliedUpdates,
  AutoUpdate,
  AutoUpdateBody,
  CatalogueList,
  ChannelBody,
  ChannelState,
  InstallBody,
  SourceBody,
  SourceList,
  SourceQuery,
  UpdateList,
} from './plugin-catalogues.schemas.ts'
import { onePlugin } from './plugins.routes.ts'
import { OnePlugin, PluginParameters } from './plugins.schemas.ts'

/**
 * Catalogues of plugins. Code comes only from catalogues that a command has trusted: an administrator of the application chooses among them,
 * but cannot add one to choose from.
 */
export const pluginCatalogueRoutes: RoutePlugin = (app, { services }) => {
  const log = services.log.child({ domain: 'plugins' })
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/catalog',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: CatalogueList } },
    handler: async ({ signal }) => {
      const { channel, catalogues } = await listCatalogues(services, signal)
      return {
        default_source: '',
        sources: catalogues.map(({ url }) => url),
        catalogs: catalogues.flatMap(({ url, isTrusted, content }) => {
          if ('problem' in content) return []
          const plugins = content.plugins.map((plugin) => cataloguePluginView(plugin, { isTrusted }))
          return [{ source: url, name: content.name === '' ? url : content.name, trusted: isTrusted, plugins }]
        }),
        errors: catalogues.flatMap((catalogue) => pluginCatalogueErrorsView(catalogue)),
        channel: channelView(channel),
      }
    },
  })

  app.route({
    method: 'POST',
    url: '/catalog/sources',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: SourceBody, response: { 200: SourceList } },
    handler: async (request) => {
      const sources = await addSource(services, { url: request.body.url, isTrusted: false })
      log.notice({ accountId: signedInAccount(request).id }, 'an administrator added a catalogue of plugins')
      return addresses(sources)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/catalog/sources',
    config: { access: 'admin', reveals: 'none' },
    schema: { querystring: SourceQuery, response: { 200: SourceList } },
    handler: async (request) => {
      const sources = await removeSource(services, { url: request.query.url, mayBeTrusted: false })
      log.notice({ accountId: signedInAccount(request).id }, 'an administrator removed a catalogue of plugins')
      return addresses(sources)
    },
  })

  app.route({
    method: 'GET',
    url: '/catalog/channel',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: ChannelState } },
    handler: async () => channelView(await readSetting(services, 'plugins.channel')),
  })

  app.route({
    method: 'PUT',
    url: '/catalog/channel',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: ChannelBody, response: { 200: ChannelState } },
    handler: async ({ body }) => {
      await changeChannel(services, body.channel)
      return channelView(await readSetting(services, 'plugins.channel'))
    },
  })

  app.route({
    method: 'POST',
    url: '/install',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: InstallBody, response: { 201: OnePlugin } },
    handler: async (request, reply) => {
      const plugin = await installByAddress(services, request.body.url)
      const { name, manifest, catalogue } = plugin
      const fields = { accountId: signedInAccount(request).id, plugin: name, version: manifest.version, catalogue }
      log.notice(fields, 'an administrator installed a plugin')
      return reply.code(201).send(onePlugin(plugin))
    },
  })

  app.route({
    method: 'POST',
    url: '/:name/update',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: PluginParameters, response: { 200: OnePlugin } },
    handler: async (request) => {
      const { name } = request.params
      const plugin = await updateFromCatalogue(services, { name, mayAdopt: false, confirm: async () => true })
      if (plugin === undefined) throw new Error('it was confirmed')
      const { version } = plugin.manifest
      log.notice({ accountId: signedInAccount(request).id, plugin: name, version }, 'an administrator updated a plugin')
      return onePlugin(plugin)
    },
  })

  app.route({
    method: 'GET',
    url: '/updates',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: UpdateList } },
    handler: async ({ signal }) => {
      const updates = (await findUpdates(services, signal)).map((update) => pluginUpdateView(update))
      const isAutomatic = await readSetting(services, 'plugins.auto_update')
      const available = updates.filter(({ update_available }) => update_available).length
      return { auto_update: isAutomatic, available, updates }
    },
  })

  app.route({
    method: 'POST',
    url: '/updates/apply',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: AppliedUpdates } },
    handler: async (request) => {
      const applied = await applyUpdates(services, { isAutomatic: false })
      const { id: accountId } = signedInAccount(request)
      log.notice({ accountId, count: applied.updated.length }, 'an administrator updated the plugins')
      return appliedUpdatesView(applied)
    },
  })

  app.route({
    method: 'GET',
    url: '/auto-update',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: AutoUpdate } },
    handler: async () => ({ auto_update: await readSetting(services, 'plugins.auto_update') }),
  })

  app.route({
    method: 'PUT',
    url: '/auto-update',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: AutoUpdateBody, response: { 200: AutoUpdate } },
    handler: async ({ body }) => {
      await changeSettings(services, { 'plugins.auto_update': body.enabled })
      return { auto_update: await readSetting(services, 'plugins.auto_update') }
    },
  })
}

function addresses(sources: readonly CatalogueSource[]) {
  return { sources: sources.map(({ url }) => url) }
}

function channelView(channel: string) {
  const options = CHANNEL_OPTIONS.map(({ value, label, description, isAdvanced }) => ({
    value,
    label,
    description,
    advanced: isAdvanced,
  }))
  return { channel, options }
}

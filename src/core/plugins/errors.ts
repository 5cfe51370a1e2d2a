import { defineErrors } from '../platform/errors/index.ts'

export const pluginErrors = defineErrors({
  plugin_not_found: { kind: 'not_found', title: 'Plugin not found', doc: 'No installed plugin has this name.' },
  plugin_source_invalid: {
    kind: 'invalid',
    code: 'plugin.url.invalid_scheme',
    title: 'Invalid source of a plugin',
    doc: 'A plugin comes from an `https` address, a `file` address or, on the command line, a path.',
  },
  plugin_install_failed: {
    kind: 'invalid',
    code: 'plugin.install.failed',
    title: 'The plugin cannot be installed',
    doc: 'The archive or its `plugin.json` breaks a rule, or the archive is not the one that was pinned. The message names the rule; nothing was installed.',
  },
  plugin_busy: {
    kind: 'busy',
    title: 'Plugins are being changed',
    doc: 'Plugins are being installed, updated or removed, or the plugin, its catalogue or its settings were changed meanwhile.',
  },
  plugin_no_space: {
    kind: 'io',
    title: 'Not enough free disk space for a plugin',
    doc: 'Unpacking the archive could use the space that `hls.min_disk_space_bytes` keeps free. Nothing was installed.',
  },
  plugin_exists: {
    kind: 'conflict',
    title: 'Plugin is installed already',
    doc: 'A plugin with this name is installed; `plugin:update` replaces it.',
  },
  plugin_type_unsupported: {
    kind: 'conflict',
    title: 'Plugins of this type cannot be enabled',
    doc: 'This release runs no plugins of the type that `plugin.json` names; they can only be listed.',
  },
  plugin_unavailable: {
    kind: 'unavailable',
    title: 'A plugin does not answer',
    doc: 'A plugin that was asked does not run, has too many questions waiting, threw an error, or answered too late.',
  },
  plugin_changed: {
    kind: 'conflict',
    title: 'Files of the plugin were changed',
    doc: 'The files of the plugin are not those that were installed. It is not started. `plugin:install` with the same archive restores them.',
  },
  plugin_isolation_missing: {
    kind: 'misconfigured',
    title: 'No isolation for plugins',
    doc: 'This machine offers neither bubblewrap nor another account with its own network for plugins, and `plugins.allow_weak_isolation` is off.',
  },
  plugin_start_failed: {
    kind: 'conflict',
    title: 'The plugin does not start',
    doc: 'The process of the plugin ended, did not answer in time, or `onEnable` threw. The message has the reason.',
  },
  plugin_settings_invalid: {
    kind: 'invalid',
    code: 'plugin.settings.validation_failed',
    title: 'Invalid settings',
    doc: 'A setting of the plugin is unknown, missing or has another type; `errors` maps the names to the reasons.',
  },
  plugin_no_old_version: {
    kind: 'conflict',
    title: 'No previous version',
    doc: 'The plugin has no previous version to return to.',
  },
  plugin_catalogue_url_invalid: {
    kind: 'invalid',
    code: 'plugin.catalog.url.invalid',
    title: 'Invalid address of a catalogue',
    doc: 'A catalogue of plugins has an `https` address; with `plugin:add-source` also a `file` address.',
  },
  plugin_catalogue_not_found: {
    kind: 'not_found',
    title: 'Catalogue not found',
    doc: 'No catalogue of plugins with this address was added.',
  },
  plugin_catalogue_trusted: {
    kind: 'conflict',
    title: 'Catalogue is trusted',
    doc: 'Only the command `plugin:remove-source` removes a catalogue that a command has made trusted.',
  },
  plugin_catalogues_limit: {
    kind: 'conflict',
    title: 'Too many catalogues',
    doc: 'The number of catalogues of plugins is limited; remove one first.',
  },
  plugin_catalogue_failed: {
    kind: 'unavailable',
    title: 'Catalogue cannot be read',
    doc: 'The index file of a catalogue of plugins cannot be fetched, is too large, or is no index. The message has the reason.',
  },
  plugin_not_listed: {
    kind: 'not_found',
    code: 'plugin.update.no_source',
    title: 'No trusted catalogue offers this plugin',
    doc: 'The plugin was not installed from a catalogue that is trusted now, or the catalogue offers no version of it for this release and channel.',
  },
  plugin_url_required: {
    kind: 'invalid',
    code: 'plugin.url.required',
    title: 'Address required',
    doc: 'The body has no `url` of the plugin.',
  },
  plugin_channel_invalid: {
    kind: 'invalid',
    code: 'plugin.catalog.channel.invalid',
    title: 'No such channel',
    doc: 'The channel of catalogues is `stable` or `dev`.',
  },
})

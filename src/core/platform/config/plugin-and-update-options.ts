import { booleanOption, choiceOption, webAddressOption, type Option } from './option-kinds.ts'

/** The options of plugins and of newer releases. */
export const PLUGIN_AND_UPDATE_OPTIONS = {
  'plugins.allow_weak_isolation': booleanOption(false, {
    env: ['PHLIX_PLUGINS_ALLOW_WEAK_ISOLATION'],
    doc: 'Plugins may run under the account of the server, limited only by Node’s permission model, if the machine offers nothing better.',
  }),
  'plugins.auto_update': booleanOption(false, {
    doc: 'The server updates plugins from the trusted catalogues that they were installed from, unless a version asks for more permissions.',
  }),
  'plugins.channel': choiceOption('stable', ['stable', 'dev'], {
    doc: 'Which versions of catalogues are offered; `dev` includes pre-releases.',
  }),
  'updates.check_enabled': booleanOption(false, {
    env: ['PHLIX_UPDATE_CHECK'],
    doc: 'The server asks once a day for the newest release. Only the name of the package is sent.',
  }),
  'updates.registry_url': webAddressOption('https://registry.npmjs.org', {
    env: ['PHLIX_UPDATE_REGISTRY'],
    doc: 'Address of the npm registry, or of a mirror, that is asked.',
  }),
} as const satisfies Record<string, Option>

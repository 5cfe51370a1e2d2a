import * as Args from '@oclif/core/args'

/** The argument of commands that act on one installed plugin. */
export const pluginArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'name of the plugin, from plugin:list',
})

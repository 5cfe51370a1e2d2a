import * as Args from '@oclif/core/args'

/** Argument that identifies a setting. */
export const settingArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'name of the option, for example metadata.overwrite_existing',
})

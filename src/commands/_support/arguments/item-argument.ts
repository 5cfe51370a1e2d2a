import * as Args from '@oclif/core/args'

/** Argument that identifies an item. */
export const itemArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'id of the item, from media:list',
})

import * as Args from '@oclif/core/args'

/** Argument that identifies a notification channel. */
export const channelArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'name or id of the channel, from notify:list',
})

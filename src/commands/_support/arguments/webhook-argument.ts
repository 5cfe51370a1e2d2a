import * as Args from '@oclif/core/args'

/** Argument that identifies a webhook. */
export const webhookArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'id of the webhook, from webhook:list',
})

import { Args } from '@oclif/core'

/** How commands name a webhook. */
export const webhookArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'id of the webhook, from webhook:list',
})

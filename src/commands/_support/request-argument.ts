import { Args } from '@oclif/core'

/** How commands name a media request. */
export const requestArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'id of the request, from request:list',
})

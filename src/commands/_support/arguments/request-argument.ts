import * as Args from '@oclif/core/args'

/** Argument that identifies a media request. */
export const requestArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'id of the request, from request:list',
})

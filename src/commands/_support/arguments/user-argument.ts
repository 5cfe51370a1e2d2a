import * as Args from '@oclif/core/args'

/** Argument that identifies an account; the core ignores case. */
export const userArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'username or e-mail address',
})

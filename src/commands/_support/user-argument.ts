import { Args } from '@oclif/core'

/** How commands name an account; the core looks it up without regard to case. */
export const userArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'username or e-mail address',
})

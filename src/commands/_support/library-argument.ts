import { Args, Flags } from '@oclif/core'

const WHICH = 'id, or name when only one library has it'

/** The library that a command is about. */
export const libraryArgument = Args.string({ ignoreStdin: true, required: true, description: WHICH })

/** The same where no word means all of them. */
export const optionalLibraryArgument = Args.string({ ignoreStdin: true, description: `${WHICH}; all without it` })

/** How long a command that follows a job may take. */
export const timeoutFlag = Flags.integer({
  min: 1,
  max: 604_800,
  helpValue: 'SECONDS',
  summary: 'Give up after this time, exit 75.',
})

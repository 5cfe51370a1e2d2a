import * as Args from '@oclif/core/args'

/** Argument that identifies a job of a library. */
export const jobArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'id of the job, from job:list',
})

import type { Connection } from '../platform/database/index.ts'
import { countProblems, selectProblems, type Problem, type ProblemKind } from './queries/problems.ts'

export { PROBLEM_KINDS, type Problem, type ProblemKind } from './queries/problems.ts'

export type FoundProblems = {
  /** How many there are. */
  count: number
  /** As many of them as were asked for; duplicates group by group. */
  problems: Problem[]
}

/**
 * What is wrong with the items of some libraries: `bad` could not be read, `duplicates` hold the same as others, `missing` have no file
 * any more, `unmatched` no id of a provider.
 */
export async function findProblems(
  connection: Connection,
  wanted: { libraryIds: readonly string[]; kind: ProblemKind; limit: number },
): Promise<FoundProblems> {
  const problems = await selectProblems(connection, wanted)
  const count = problems.length < wanted.limit ? problems.length : await countProblems(connection, wanted)
  return { count, problems }
}

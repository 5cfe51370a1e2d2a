import type { Connection } from '../../platform/database/index.ts'
import { countProblems, selectProblems, type ItemProblem, type ProblemKind } from '../queries/item-problems.ts'

export { PROBLEM_KINDS, type ItemProblem, type ProblemKind } from '../queries/item-problems.ts'

export type ItemProblems = {
  /** The number of all problems. */
  count: number
  /** One page of the problems, at most the requested limit; duplicates are ordered by group. */
  problems: ItemProblem[]
}

/**
 * Problems with the items of some libraries. `bad`: the file could not be read. `duplicates`: the content equals that of other items.
 * `missing`: the file no longer exists. `unmatched`: no provider id.
 */
export async function findItemProblems(
  connection: Connection,
  wanted: { libraryIds: readonly string[]; kind: ProblemKind; limit: number },
): Promise<ItemProblems> {
  const problems = await selectProblems(connection, wanted)
  const count = problems.length < wanted.limit ? problems.length : await countProblems(connection, wanted)
  return { count, problems }
}

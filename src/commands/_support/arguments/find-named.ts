import { commandErrors } from '../errors.ts'

/**
 * Finds a row by id or by exact name; undefined if there is none.
 * @param input.kind plural of the kind, as in `libraries`
 * @throws AppError `usage` when several have the name
 */
export function findNamed<Row extends { id: string; name: string }>(
  all: readonly Row[],
  { idOrName, kind }: { idOrName: string; kind: string },
): Row | undefined {
  const byId = all.find(({ id }) => id === idOrName.toLowerCase())
  if (byId !== undefined) return byId
  const [first, ...others] = all.filter(({ name }) => name === idOrName)
  if (first === undefined || others.length === 0) return first
  const ids = [first, ...others].map(({ id }) => id)
  throw commandErrors.usage({ message: `${ids.length} ${kind} have this name; give an id`, details: { ids } })
}

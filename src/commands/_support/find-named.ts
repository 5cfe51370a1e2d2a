import { commandErrors } from './errors.ts'

/**
 * What has this id, or exactly this name when nothing else has it; undefined when there is nothing.
 * @param input.kind several of them, as in `libraries`
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

import { replaceControlCharacters } from '../output/table.ts'
import { commandErrors } from '../errors.ts'

type Named = { id: string; name: string }

/** More names than this are a list, which a command prints. */
const MAX_NAMED = 8

/**
 * Finds a row by id or by name; undefined if there is none. A name in another case is accepted if only one row has it.
 * @param input.kind plural of the kind, as in `libraries`
 * @throws AppError `usage` when several have the name, with their ids
 */
export function findNamed<Row extends Named>(
  all: readonly Row[],
  { idOrName, kind }: { idOrName: string; kind: string },
): Row | undefined {
  const byId = all.find(({ id }) => id === idOrName.toLowerCase())
  if (byId !== undefined) return byId
  const exact = all.filter(({ name }) => name === idOrName)
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase() === idOrName.toLowerCase())
  const [first, ...others] = found
  if (first === undefined || others.length === 0) return first
  const ids = found.map(({ id }) => id)
  const candidates = found.map(({ id, name }) => `${id} (${replaceControlCharacters(name)})`).join(', ')
  throw commandErrors.usage({
    message: `${ids.length} ${kind} have this name; give an id: ${candidates}`,
    details: { ids },
  })
}

/** The names among which a user can choose, for a hint; empty if there are none or too many. */
export function listNames(all: readonly Named[], { kind }: { kind: string }): string {
  if (all.length === 0 || all.length > MAX_NAMED) return ''
  return `the ${kind} are ${all.map(({ name }) => JSON.stringify(replaceControlCharacters(name))).join(', ')}; `
}

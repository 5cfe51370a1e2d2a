import { isAtOrBelow } from '../platform/files/index.ts'
import { checkLibraryPath } from './check-path.ts'
import { libraryErrors, invalidPathError } from './errors.ts'

const NAME_MAX_LENGTH = 255

/**
 * The trimmed name of a library; empty for a value that is not text.
 * @throws AppError `invalid_options` if the name is too long or cannot be stored
 */
export function checkLibraryName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (Array.from(name).length > NAME_MAX_LENGTH || name.includes('\0') || !name.isWellFormed()) {
    throw libraryErrors.invalid_options({ message: `name must be text of at most ${NAME_MAX_LENGTH} characters` })
  }
  return name
}

/**
 * Validates folders individually and against each other; duplicates are removed.
 * @param known existing folders of the library, which need not be readable now
 * @throws AppError `invalid_path`
 */
export async function checkLibraryPaths(
  paths: readonly string[],
  { dataDirectory, known = [] }: { dataDirectory: string; known?: readonly string[] },
): Promise<string[]> {
  const roots: string[] = []
  for (const path of paths) {
    const root = known.includes(path) ? path : await checkLibraryPath(path, dataDirectory)
    if (roots.includes(root)) continue
    const other = roots.find((one) => isAtOrBelow(root, one) || isAtOrBelow(one, root))
    if (other !== undefined) {
      throw invalidPathError(`the path overlaps with ${other}`, { path })
    }
    roots.push(root)
  }
  return roots
}

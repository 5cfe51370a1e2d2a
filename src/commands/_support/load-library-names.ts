import type { CoreServices } from '../../core/core-services.ts'

/** The names of all libraries by id, for texts about limits. */
export type LibraryNames = ReadonlyMap<string, string>

export async function loadLibraryNames(services: Pick<CoreServices, 'db'>): Promise<LibraryNames> {
  const { listLibraries } = await import('../../core/libraries/index.ts')
  return new Map((await listLibraries(services)).map(({ id, name }) => [id, name]))
}

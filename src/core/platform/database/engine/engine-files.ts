import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from '../../spawn/index.ts'
import {
  copiedProgramsFolder,
  findEnginePackage,
  createMissingLibraryLinks,
  findMissingLibraryLinks,
} from './engine-programs.ts'

export type EngineFiles = {
  /** Version that `postgres --version` prints; null if the program does not run. */
  version: string | null
  /** `isMendable`: the missing files can be created from the others. */
  problems: { message: string; isMendable: boolean }[]
}

/** Checks the programs of the embedded database: the installed package, and the copy in the data directory, if there is one. */
export async function checkEngineFiles(dataDirectory: string): Promise<EngineFiles> {
  let folders: string[]
  try {
    folders = programFolders(dataDirectory)
  } catch {
    const message = `the package with PostgreSQL for ${process.platform}-${process.arch} is not installed`
    return { version: null, problems: [{ message, isMendable: false }] }
  }
  const problems = folders.flatMap((folder) =>
    findMissingLibraryLinks(folder).map(({ target }) => ({
      message: `${join(folder, target)} is missing`,
      isMendable: true,
    })),
  )
  if (problems.length > 0) return { version: null, problems }
  const program = join(folders[0] ?? '', 'native', 'bin', 'postgres')
  const { exitCode, stdout, stderrTail } = await runTool({ program, arguments: ['--version'], timeoutSeconds: 4 })
  const version = /(\d+\.\d+)/.exec(stdout.toString())?.[1]
  if (exitCode === 0 && version !== undefined) return { version, problems: [] }
  return { version: null, problems: [{ message: `${program} does not run: ${stderrTail.trim()}`, isMendable: false }] }
}

/** Creates the missing links of the libraries. @throws the system error of symlink(2) */
export function repairEngineFiles(dataDirectory: string): void {
  for (const folder of programFolders(dataDirectory)) createMissingLibraryLinks(folder)
}

function programFolders(dataDirectory: string): string[] {
  const installed = findEnginePackage()
  const copied = copiedProgramsFolder(installed, dataDirectory)
  return existsSync(copied) ? [installed, copied] : [installed]
}

import { mkdirSync } from 'node:fs'
import type { Config } from '../../platform/config/index.ts'
import { pluginsFolder } from '../plugin-folders.ts'
import { findSandbox, type Sandbox, type SandboxLevel } from '../process/sandbox.ts'

/** The best isolation that this machine offers for the plugins of the data directory; each level is tried with a real start. */
export async function findPluginSandbox(
  { config: { dataDirectory } }: { config: Config },
  { levels }: { levels?: readonly SandboxLevel[] | undefined } = {},
): Promise<Sandbox> {
  const folder = pluginsFolder(dataDirectory)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  return findSandbox({ folder, dataDirectory, ...(levels === undefined ? {} : { levels }) })
}

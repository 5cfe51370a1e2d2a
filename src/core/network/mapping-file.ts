import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../platform/config/index.ts'
import { changeOwnerToDataOwner } from '../platform/files/index.ts'
import { parseJson } from '../platform/json/index.ts'

const Port = z.number().int().min(1).max(65_535)
const Moment = z.iso.datetime().transform((text) => new Date(text))

const MappingRow = z.object({
  protocol: z.enum(['nat-pmp', 'upnp']),
  gatewayAddress: z.ipv4(),
  internalAddress: z.ipv4(),
  internalPort: Port,
  externalAddress: z.ipv4().nullable(),
  externalPort: Port,
  leaseSeconds: z.number().int().positive().nullable(),
  openedAt: Moment,
  checkedAt: Moment,
  epochSeconds: z.number().int().nonnegative().nullable(),
})

/**
 * A port that the router forwards to this machine. For `leaseSeconds`, `externalAddress` and `epochSeconds` see `MappingGrant` and
 * `GatewayState`. `openedAt`: time of the last opening or renewal. `checkedAt`: when `externalAddress` and `epochSeconds` were read.
 */
export type PortMapping = Readonly<z.infer<typeof MappingRow>>

type Files = { config: Pick<Config, 'dataDirectory'> }

/**
 * The last port mapping that this installation opened and did not remove. It is stored in a file, so that the next start or a command can
 * remove the mapping after a crash. Undefined if there is none, or its lease has ended.
 */
export function readMappingFile({ config }: Files, now: Date): PortMapping | undefined {
  const parsed = MappingRow.safeParse(parseJson(readBytes(pathOf(config))))
  if (!parsed.success) return undefined
  const expiresAt = leaseEndTime(parsed.data)
  return expiresAt === null || expiresAt > now ? parsed.data : undefined
}

/** Replaces the file; null removes it. */
export function writeMappingFile({ config }: Files, mapping: PortMapping | null): void {
  const path = pathOf(config)
  if (mapping === null) return rmSync(path, { force: true })
  writeFileSync(`${path}.new`, `${JSON.stringify(mapping)}\n`, { mode: 0o600 })
  changeOwnerToDataOwner(config.dataDirectory, `${path}.new`)
  renameSync(`${path}.new`, path)
}

/** When the router ends the mapping by itself; null: never. */
export function leaseEndTime({ openedAt, leaseSeconds }: Pick<PortMapping, 'openedAt' | 'leaseSeconds'>): Date | null {
  return leaseSeconds === null ? null : new Date(openedAt.getTime() + leaseSeconds * 1000)
}

function pathOf({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'port-mapping.json')
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

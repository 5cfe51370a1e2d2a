import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import { changeOwnerToDataOwner } from '../../platform/files/index.ts'
import { parseJson } from '../../platform/json/index.ts'
import { toIsoTimestamp } from '../../platform/time/index.ts'

const FileContent = z.object({
  enrollment_jwt: z.string().min(1).max(4096),
  hub_jwks_url: z.string().max(1000),
  server_id: z.guid(),
  hub_base_url: z.string().max(400),
  enrolled_at: z.iso.datetime(),
  // The key of this server that the hub knows.
  key_id: z.string().max(100),
  // The account that the owner at the hub acts as; null: the first administrator.
  account_id: z.guid().nullable(),
  // The port of the hub for tunnels; null: the hub has not named it.
  tunnel_port: z.number().int().min(1).max(65_535).nullable().default(null),
})

/** The content of the enrolment file. */
export type StoredEnrolment = {
  enrolmentJwt: string
  hubJwksUrl: string
  serverId: string
  /** The origin of the hub, without a trailing slash. */
  hubBaseUrl: string
  enrolledAt: Date
  keyId: string
  ownerAccountId: string | null
  /** The port of the hub for tunnels; null if the hub has not named it. */
  tunnelPort: number | null
}

type Files = { config: Pick<Config, 'dataDirectory'> }

/** The path of the file: `keys/hub-enrolment.json` in the data directory. */
export function enrolmentPath({ config }: Files): string {
  return join(config.dataDirectory, 'keys', 'hub-enrolment.json')
}

/** The pairing of this server. Undefined without one, and for a damaged file. */
export function readEnrolment(files: Files): StoredEnrolment | undefined {
  const parsed = FileContent.safeParse(parseJson(readBytes(enrolmentPath(files))))
  if (!parsed.success) return undefined
  const { data } = parsed
  return {
    enrolmentJwt: data.enrollment_jwt,
    hubJwksUrl: data.hub_jwks_url,
    serverId: data.server_id,
    hubBaseUrl: data.hub_base_url,
    enrolledAt: new Date(data.enrolled_at),
    keyId: data.key_id,
    ownerAccountId: data.account_id,
    tunnelPort: data.tunnel_port,
  }
}

/** Replaces the file at once, with mode 0600; null removes it. */
export function writeEnrolment({ config }: Files, enrolment: StoredEnrolment | null): void {
  const path = enrolmentPath({ config })
  if (enrolment === null) return rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const enrolledAt = toIsoTimestamp(enrolment.enrolledAt)
  const content: z.infer<typeof FileContent> = {
    enrollment_jwt: enrolment.enrolmentJwt,
    hub_jwks_url: enrolment.hubJwksUrl,
    server_id: enrolment.serverId,
    hub_base_url: enrolment.hubBaseUrl,
    enrolled_at: enrolledAt,
    key_id: enrolment.keyId,
    account_id: enrolment.ownerAccountId,
    tunnel_port: enrolment.tunnelPort,
  }
  const draft = `${path}.${process.pid}.new`
  // The mode applies to new files only.
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  changeOwnerToDataOwner(config.dataDirectory, draft)
  renameSync(draft, path)
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

import { sql } from 'slonik'
import t from 'tap'
import { startWorkers } from '../../src/core/workers.ts'
import { testServices } from '../support/services.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Valid codes of devices. */
const [OLD, NEW] = ['BBBBBBBB', 'CCCCCCCC']

const digest = (id: string) => sql.binary(Buffer.alloc(32, id))

void t.test(
  'a server deletes what sign-ins that were not completed have left, and keeps those that go on',
  async (t) => {
    const services = await testServices(t)
    const { db } = services
    const now = services.clock.now().getTime()
    for (const [id, offsetSeconds] of [
      [OLD, -1],
      [NEW, 300],
    ] as const) {
      const createdAt = sql.timestamp(new Date(now - 600_000))
      const expiresAt = sql.timestamp(new Date(now + offsetSeconds * 1000))
      await db.query(sql.unsafe`
      insert into oidc_requests (state_digest, browser_digest, issuer, client, challenge, nonce, code_verifier, expires_at)
      values (${digest(id)}, ${digest(id)}, ${id}, 'web', 'x', 'x', 'x', ${expiresAt})`)
      await db.query(sql.unsafe`
      insert into oidc_codes (code_digest, issuer, subject, challenge, expires_at)
      values (${digest(id)}, ${id}, 'x', 'x', ${expiresAt})`)
      await db.query(
        sql.unsafe`insert into oidc_logout_tokens (jti_digest, expires_at) values (${digest(id)}, ${expiresAt})`,
      )
      await db.query(sql.unsafe`
      insert into quick_connect_codes (
        code, secret_digest, device_name, device_type, address, client_key, status, poll_seconds, needs_secret,
        created_at, expires_at)
      values (${id}, ${digest(id)}, 'x', 'x', 'x', 'x', 'pending', 5, false, ${createdAt}, ${expiresAt})`)
    }
    const workers = await startWorkers(services)
    t.teardown(() => workers.stop())
    const remaining = () =>
      db.anyFirst(sql.unsafe`
      select 'request ' || issuer from oidc_requests union select 'code ' || issuer from oidc_codes
      union select 'device ' || code from quick_connect_codes
      union select 'token ' || (jti_digest = ${digest(NEW)}) from oidc_logout_tokens order by 1`)
    await waitUntil('expired rows are deleted', async () => (await remaining()).length <= 4)
    t.strictSame(await remaining(), [`code ${NEW}`, `device ${NEW}`, `request ${NEW}`, 'token true'])
  },
)

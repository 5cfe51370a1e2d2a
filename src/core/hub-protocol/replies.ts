import { z } from 'zod'

const Text = z.string().max(4096)

/** The reply to a request for a code. */
export const NewClaimReply = z.object({
  claimCode: z.string().max(20),
  claimId: z.string().min(1).max(200),
  expiresIn: z.number().int().positive().max(3600),
})

/** The port of a hub for tunnels. Older hubs do not send it. */
const TunnelPort = z.number().int().min(1).max(65_535).optional()

/** The reply to a poll of a claim. */
export const ClaimedReply = z.union([
  z.object({ status: z.literal('pending') }),
  z.object({
    status: z.literal('claimed'),
    enrollment_jwt: Text,
    hub_jwks_url: Text,
    server_id: z.guid(),
    tunnel_port: TunnelPort,
  }),
])

/** The reply to a renewal of the enrolment. */
export const RenewalReply = z.object({ enrollment_jwt: Text })

const Member = z.object({
  user_id: z.guid(),
  username: z.string().max(300),
  is_owner: z.boolean(),
  library_ids: z.array(z.string().max(100)).max(1000).nullable(),
})

/** A user of the hub who may use a server. */
export type HeartbeatMember = z.infer<typeof Member>

/** The reply to a heartbeat: who may use the server now, and where the hub takes tunnels. */
export const HeartbeatReply = z.object({ members: z.array(Member).max(1000), tunnel_port: TunnelPort })
